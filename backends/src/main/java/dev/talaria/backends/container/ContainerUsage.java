package dev.talaria.backends.container;

import dev.talaria.api.Command;
import dev.talaria.api.Usage;
import dev.talaria.backends.process.Client;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/// Measures the usage of a container, whoever made it.
final class ContainerUsage {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String MEMORY =
            "cat /sys/fs/cgroup/memory.current 2>/dev/null || cat /sys/fs/cgroup/memory/memory.usage_in_bytes";

    private ContainerUsage() {}

    /// @param kept the container's own folders on this machine
    static Usage of(ContainerClient client, String container, List<Path> kept) {
        Client.Finished memory =
                Client.run(Command.of(client.exec(container, List.of("sh", "-c", MEMORY), "/")), PATIENCE, 100);
        Client.Finished written = client.run("inspect", "-s", "--format", "{{.SizeRw}}", container);
        OptionalLong own = number(written.printed());
        return new Usage(
                number(memory.printed()), own.isPresent() ? OptionalLong.of(own.getAsLong() + Client.size(kept)) : own);
    }

    private static OptionalLong number(String text) {
        return text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
