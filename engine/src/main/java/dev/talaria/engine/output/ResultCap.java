package dev.talaria.engine.output;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Limits the size of a result value. Every result is capped here, and nowhere else.
///
/// Sizes are counted in characters of the value's compact JSON. If a value is too large, its fields
/// and items share the room fairly: small ones stay whole, the largest are cut to the remaining room.
/// Texts are cut in the middle, lists and objects at their end, each with a notice.
public final class ResultCap {

    private static final int SMALLEST = 1_000;
    private static final int DEEPEST = 64;
    private static final int NOTICE_ROOM = 120;
    private static final int LEAST_SHARE = 24;
    private static final int HEAD_PERCENT = 40;

    private ResultCap() {}

    /// Returns the value, cut where needed to `maxChars` characters of JSON (at least 1000). It never
    /// throws.
    public static Map<String, Object> cap(Map<String, Object> value, int maxChars) {
        int most = Math.max(SMALLEST, maxChars);
        return size(value, most + 1, 1) <= most ? value : cutFields(value, most, 1);
    }

    /// Returns the JSON's length, or any number from `limit` on as soon as it is that long.
    private static int size(@Nullable Object node, int limit, int depth) {
        return switch (node) {
            case String text -> textSize(text, limit);
            case Map<?, ?> fields
            when depth < DEEPEST -> {
                int sum = 2;
                for (Map.Entry<?, ?> field : fields.entrySet()) {
                    sum += nameSize(field.getKey(), limit - sum);
                    sum += sum < limit ? size(field.getValue(), limit - sum, depth + 1) : 0;
                    if (sum >= limit) {
                        break;
                    }
                }
                yield sum;
            }
            case Collection<?> items
            when depth < DEEPEST -> {
                int sum = 2;
                for (Object item : items) {
                    sum += 1 + size(item, limit - sum, depth + 1);
                    if (sum >= limit) {
                        break;
                    }
                }
                yield sum;
            }
            case Map<?, ?> _, Collection<?> _ -> limit; // too deep: it has to be cut, whatever its size
            case Number number -> number.toString().length();
            case Boolean _ -> 5;
            case null -> 4;
            default -> textSize(text(node), limit);
        };
    }

    private static int nameSize(@Nullable Object name, int limit) {
        return textSize(text(name), Math.max(0, limit)) + 2;
    }

    private static int textSize(String text, int limit) {
        int sum = 2;
        for (int i = 0; i < text.length() && sum < limit; i++) {
            sum += charSize(text.charAt(i));
        }
        return sum;
    }

    private static int charSize(char c) {
        return switch (c) {
            case '"', '\\', '\n', '\t', '\r', '\b', '\f' -> 2;
            default -> c < ' ' ? 6 : 1;
        };
    }

    private static @Nullable Object cut(@Nullable Object node, int room, int depth) {
        if (size(node, room + 1, depth) <= room) {
            return node;
        }
        return switch (node) {
            case Map<?, ?> _, Collection<?> _ when depth >= DEEPEST || room <= NOTICE_ROOM -> tooDeep(room);
            case Map<?, ?> fields -> cutFields(fields, room, depth);
            case Collection<?> items -> cutItems(items, room, depth);
            case null -> null;
            default -> cutText(text(node), room);
        };
    }

    @SuppressWarnings("NullAway") // a result is JSON, and JSON has null
    private static Map<String, Object> cutFields(Map<?, ?> fields, int room, int depth) {
        var names = new ArrayList<String>();
        var nodes = new ArrayList<@Nullable Object>();
        int forNodes = room - 2 - NOTICE_ROOM;
        int taken = 0;
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            String name = cutText(text(field.getKey()), Math.max(LEAST_SHARE, room / 8));
            int least = size(field.getValue(), LEAST_SHARE, depth + 1);
            if (taken + least + nameSize(name, room) > forNodes) {
                break;
            }
            names.add(name);
            nodes.add(field.getValue());
            forNodes -= nameSize(name, room);
            taken += least;
        }
        int share = fairShare(nodes, forNodes, depth);
        var shown = new LinkedHashMap<String, Object>();
        for (int i = 0; i < names.size(); i++) {
            shown.put(names.get(i), cut(nodes.get(i), share, depth + 1));
        }
        if (names.size() < fields.size()) {
            shown.put("...", String.format(Locale.ROOT, "[%,d more fields omitted]", fields.size() - names.size()));
        }
        return shown;
    }

    private static List<@Nullable Object> cutItems(Collection<?> items, int room, int depth) {
        var nodes = new ArrayList<@Nullable Object>();
        int forNodes = room - 2 - NOTICE_ROOM;
        int taken = 0;
        for (Object item : items) {
            int least = size(item, LEAST_SHARE, depth + 1);
            if (taken + least + 1 > forNodes) {
                break;
            }
            nodes.add(item);
            forNodes--;
            taken += least;
        }
        int share = fairShare(nodes, forNodes, depth);
        var shown = new ArrayList<@Nullable Object>();
        for (Object node : nodes) {
            shown.add(cut(node, share, depth + 1));
        }
        if (nodes.size() < items.size()) {
            shown.add(String.format(Locale.ROOT, "... [%,d more items omitted] ...", items.size() - nodes.size()));
        }
        return shown;
    }

    /// Returns the size that the largest nodes have to be cut to, so that all nodes fit the room.
    private static int fairShare(List<@Nullable Object> nodes, int room, int depth) {
        int[] sizes = nodes.stream()
                .mapToInt(node -> size(node, Math.max(1, room), depth + 1))
                .sorted()
                .toArray();
        long left = room;
        for (int i = 0; i < sizes.length; i++) {
            long share = left / (sizes.length - i);
            if (sizes[i] > share) {
                return (int) Math.max(0, share);
            }
            left -= sizes[i];
        }
        return Math.max(0, room);
    }

    private static String cutText(String text, int room) {
        if (textSize(text, room + 1) <= room) {
            return text;
        }
        int left = room - 2 - NOTICE_ROOM;
        if (left <= 0) {
            return room >= 5 ? "..." : "";
        }
        int head = headEnd(text, left * HEAD_PERCENT / 100);
        int tail = tailStart(text, left - left * HEAD_PERCENT / 100, head);
        String notice = String.format(
                Locale.ROOT,
                "\n\n... [RESULT TRUNCATED - %,d characters omitted out of %,d total] ...\n\n",
                tail - head,
                text.length());
        return text.substring(0, head) + notice + text.substring(tail);
    }

    private static int headEnd(String text, int room) {
        int sum = 0;
        int end = 0;
        while (end < text.length() && sum + charSize(text.charAt(end)) <= room) {
            sum += charSize(text.charAt(end++));
        }
        return end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    }

    private static int tailStart(String text, int room, int earliest) {
        int sum = 0;
        int start = text.length();
        while (start > earliest && sum + charSize(text.charAt(start - 1)) <= room) {
            sum += charSize(text.charAt(--start));
        }
        return start < text.length() && Character.isLowSurrogate(text.charAt(start)) ? start + 1 : start;
    }

    private static String tooDeep(int room) {
        return room < NOTICE_ROOM / 2 ? "..." : "... [too deep or too little room: left out] ...";
    }

    /// Returns the object as text, even if a foreign `toString` fails.
    private static String text(@Nullable Object node) {
        try {
            return String.valueOf(node);
        } catch (RuntimeException e) {
            return "[" + e.getClass().getSimpleName() + " while printing]";
        }
    }
}
