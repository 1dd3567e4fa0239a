package dev.talaria.testkit;

import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.EngineBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Tools for the scripts of the contract: they report their arguments, wait for each other, hang and
/// throw.
final class TestTools {
    private static final Map<String, Object> TEXT = Map.of("type", "string");
    private static final Map<String, Object> INTEGER = Map.of("type", "integer");

    private static final Duration TIDYING = Duration.ofMillis(300);

    private final AtomicInteger counted = new AtomicInteger();
    private final Map<String, CyclicBarrier> barriers = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> hanging = new ConcurrentHashMap<>();
    private final Queue<String> cancelled = new ConcurrentLinkedQueue<>();
    private final Queue<Map<String, Object>> seen = new ConcurrentLinkedQueue<>();

    /// Adds all tools to an engine.
    void register(EngineBuilder builder) {
        builder.tool("echo", "Returns what it is given.", schema("value", Map.of()), args -> args);
        builder.tool("count", "Counts its calls.", schema(), _ -> counted.incrementAndGet());
        builder.tool("boom", "Throws.", schema("why", TEXT), args -> {
            throw new IllegalStateException("boom: " + args.get("why"));
        });
        builder.tool(
                "describe",
                "Describes a thing.",
                schema(
                        "name",
                        Map.of("type", "string", "description", "What it is called."),
                        "size?",
                        Map.of("type", "integer", "default", 3),
                        "tags?",
                        Map.of("type", "array", "items", TEXT)),
                args -> {
                    seen.add(args);
                    return Map.of("given", args);
                });
        builder.tool(
                "meet",
                "Returns when so many calls of one place are in flight at once.",
                schema("place", TEXT, "guests", INTEGER, "me?", Map.of()),
                this::meet);
        builder.tool("hung", "Returns when hang has begun.", schema("name", TEXT), this::awaitHang);
        builder.tool(new Hang());
        builder.tool("deaf", "Returns when the test says so, cancelled or not.", schema("name", TEXT), this::deaf);
    }

    private Object meet(Map<String, Object> args) {
        String place = String.valueOf(args.get("place"));
        int guests = ((Number) args.getOrDefault("guests", 1)).intValue();
        try {
            barriers.computeIfAbsent(place, _ -> new CyclicBarrier(guests)).await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "not all of " + guests + " came: " + e.getClass().getSimpleName(), e);
        }
        return Map.of("me", args.getOrDefault("me", ""), "met", guests);
    }

    private boolean awaitHang(Map<String, Object> args) {
        try {
            return hangs(String.valueOf(args.get("name"))).await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean deaf(Map<String, Object> args) {
        String name = String.valueOf(args.get("name"));
        hangs(name).countDown();
        try {
            return hangs("heard " + name).await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Lets a call of `deaf` return.
    void hears(String name) {
        hangs("heard " + name).countDown();
    }

    /// Returns how often `count` was called.
    int counted() {
        return counted.get();
    }

    /// Returns the arguments of the last call of `describe`.
    Map<String, Object> described() {
        return seen.stream().reduce((_, last) -> last).orElse(Map.of());
    }

    /// Returns the latch that `hang` counts down when a call with this name has begun.
    CountDownLatch hangs(String name) {
        return hanging.computeIfAbsent(name, _ -> new CountDownLatch(1));
    }

    /// Returns the names of hanging calls that were cancelled.
    List<String> cancelled() {
        return List.copyOf(cancelled);
    }

    /// Returns a schema from names and types in turn. A name that ends with `?` is optional.
    private static Map<String, Object> schema(Object... namesAndTypes) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (int i = 0; i < namesAndTypes.length; i += 2) {
            String name = (String) namesAndTypes[i];
            properties.put(name.replace("?", ""), namesAndTypes[i + 1]);
            if (!name.endsWith("?")) {
                required.add(name);
            }
        }
        return Map.of("type", "object", "properties", properties, "required", required);
    }

    /// Waits for its cancellation, and then takes a moment to tidy up.
    private final class Hang implements Tool {
        private final ToolSpec spec = new ToolSpec("hang", "Never returns.", schema("name", TEXT));

        @Override
        public ToolSpec spec() {
            return spec;
        }

        @Override
        public ToolResult call(ToolContext context) throws InterruptedException {
            String name = String.valueOf(context.arguments().get("name"));
            CountDownLatch over = new CountDownLatch(1);
            try (var _ = context.cancellation().onCancel(over::countDown)) {
                hangs(name).countDown();
                if (over.await(context.deadline().remaining().toMillis(), TimeUnit.MILLISECONDS)) {
                    Thread.sleep(TIDYING);
                    cancelled.add(name);
                }
            }
            return new ToolResult.Cancelled("hang", Map.of("error", "cancelled"));
        }
    }
}
