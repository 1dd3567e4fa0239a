package dev.talaria.engine.config;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads the part of YAML that a configuration needs, with line numbers: maps, lists and texts. Anchors, aliases and
/// tags are refused, so that a file cannot expand or create objects.
final class Yaml {
    private static final int DEEPEST = 10;

    private final Iterator<Event> events;

    private Yaml(String text) {
        LoadSettings settings = LoadSettings.builder()
                .setUseMarks(true)
                .setCodePointLimit(Math.max(1, text.length()))
                .build();
        events = new Parse(settings).parseString(text).iterator();
    }

    /// A part of a file.
    sealed interface Node {
        int line();
    }

    /// One value. A plain value had no quotes, so a plain `null` means nothing and not the word.
    record Scalar(String text, boolean plain, int line) implements Node {
        boolean empty() {
            return plain && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
        }
    }

    record Items(List<Node> items, int line) implements Node {}

    /// A map in the order of the file. Names may occur twice.
    record Fields(List<Field> fields, int line) implements Node {}

    record Field(String name, int line, Node value) {}

    /// The text is not the YAML that this class reads. The message is a sentence.
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;
        private final int line;

        private Malformed(int line, String message) {
            super(message);
            this.line = line;
        }

        int line() {
            return line;
        }

        String sentence() {
            return String.valueOf(getMessage());
        }
    }

    /// Returns the content of `text`; empty if there are only comments.
    static Optional<Node> read(String text) throws Malformed {
        try {
            return new Yaml(text).document();
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().or(e::getContextMark).map(Yaml::line).orElse(0);
            throw new Malformed(line, "the YAML is broken: " + PrintableText.bare(e.getProblem()) + ".");
        } catch (YamlEngineException e) {
            throw new Malformed(0, "the YAML is broken: " + PrintableText.bare(String.valueOf(e.getMessage())) + ".");
        }
    }

    private Optional<Node> document() throws Malformed {
        next(); // start of the stream
        Event first = next();
        if (!(first instanceof DocumentStartEvent)) {
            return Optional.empty();
        }
        Node root = node(next(), 0);
        next(); // end of the document
        Event rest = next();
        if (rest instanceof DocumentStartEvent) {
            throw new Malformed(line(rest), "a second document starts here; only one is read.");
        }
        return root instanceof Scalar scalar && scalar.empty() ? Optional.empty() : Optional.of(root);
    }

    private Node node(Event event, int depth) throws Malformed {
        if (depth > DEEPEST) {
            throw new Malformed(line(event), "the values are nested too deeply.");
        }
        refuseReferences(event);
        return switch (event) {
            case ScalarEvent scalar ->
                new Scalar(scalar.getValue(), scalar.getScalarStyle() == ScalarStyle.PLAIN, line(scalar));
            case SequenceStartEvent start -> items(start, depth);
            case MappingStartEvent start -> fields(start, depth);
            default -> throw new IllegalStateException("No YAML node starts with " + event);
        };
    }

    private Items items(Event start, int depth) throws Malformed {
        List<Node> items = new ArrayList<>();
        Event event = next();
        while (event.getEventId() != Event.ID.SequenceEnd) {
            items.add(node(event, depth + 1));
            event = next();
        }
        return new Items(List.copyOf(items), line(start));
    }

    private Fields fields(Event start, int depth) throws Malformed {
        List<Field> fields = new ArrayList<>();
        Event event = next();
        while (event.getEventId() != Event.ID.MappingEnd) {
            if (!(node(event, depth + 1) instanceof Scalar name)) {
                throw new Malformed(line(event), "a key is needed here, not a list or a map.");
            }
            fields.add(new Field(name.text(), name.line(), node(next(), depth + 1)));
            event = next();
        }
        return new Fields(List.copyOf(fields), line(start));
    }

    private static void refuseReferences(Event event) throws Malformed {
        if (event instanceof AliasEvent
                || (event instanceof NodeEvent node && node.getAnchor().isPresent())) {
            throw new Malformed(line(event), "anchors (&name) and aliases (*name) are not read; write the value out.");
        }
        Optional<String> tag = switch (event) {
            case ScalarEvent scalar -> scalar.getTag();
            case SequenceStartEvent sequence -> sequence.getTag();
            case MappingStartEvent mapping -> mapping.getTag();
            default -> Optional.empty();
        };
        if (tag.isPresent()) {
            throw new Malformed(line(event), "tags (!name) are not read; write the value without.");
        }
    }

    private Event next() {
        return events.next();
    }

    private static int line(Event event) {
        return event.getStartMark().map(Yaml::line).orElse(0);
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }
}
