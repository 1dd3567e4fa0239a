package dev.talaria.engine.job.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where the relay reads that memory ran out, in trees as kernels of either kind show them: the machine that tests
/// run on has one of the two.
class MemoryFilesTest {
    private static final Path SOURCE = Path.of("src/main/relay/processes.py");
    private static final String ASK = """
            import ast, os, sys
            source = open(sys.argv[1]).read()
            wanted = ("control_groups", "counted", "memory_files", "memory_kills", "memory_limit")
            tree = ast.parse(source)
            tree.body = [part for part in tree.body if getattr(part, "name", "") in wanted]
            code = ast.unparse(tree)
            for place in ("/proc/self/cgroup", "/sys/fs/cgroup"):
                assert place in code
                code = code.replace(place, sys.argv[2] + place)
            exec(code)
            count, limit = memory_files()
            print(memory_kills(count), memory_limit(limit))
            """;

    private static final String V2 = "low 0\nhigh 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 9\n";
    private static final String V1 = "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n";

    @TempDir
    Path tree;

    private void put(String file, String content) throws IOException {
        Path path = tree.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private String asked() throws IOException, InterruptedException {
        Process python = new ProcessBuilder("python3", "-c", ASK, SOURCE.toString(), tree.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        python.waitFor();
        return said;
    }

    @Test
    void aContainerOfCgroup2SeesItsOwnGroupAsTheRoot() throws Exception {
        put("proc/self/cgroup", "0::/\n");
        put("sys/fs/cgroup/memory.events", V2);
        put("sys/fs/cgroup/memory.max", "536870912\n");

        assertThat(asked()).isEqualTo("2 536870912");
    }

    @Test
    void aRootlessEnginesGroupIsDeepInItsUsers() throws Exception {
        String group = "/user.slice/user-1000.slice/user@1000.service/user.slice/docker-0a1b.scope";
        put("proc/self/cgroup", "0::" + group + "\n");
        put("sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n");
        put("sys/fs/cgroup" + group + "/memory.events", V2);
        put("sys/fs/cgroup" + group + "/memory.max", "max\n");

        assertThat(asked()).as("no limit of its own").isEqualTo("2 0");
    }

    @Test
    void aGroupOfCgroup1IsFoundByItsPath() throws Exception {
        put("proc/self/cgroup", "12:pids:/docker/0a1b\n5:cpu,cpuacct:/docker/0a1b\n4:memory:/docker/0a1b\n0::/x\n");
        put("sys/fs/cgroup/memory/docker/0a1b/memory.oom_control", V1);
        put("sys/fs/cgroup/memory/docker/0a1b/memory.limit_in_bytes", "536870912\n");
        put("sys/fs/cgroup/memory/memory.oom_control", V1.replace("2", "5"));

        assertThat(asked()).isEqualTo("2 536870912");
    }

    @Test
    void aContainerOfCgroup1HasItMountedAsTheRoot() throws Exception {
        put("proc/self/cgroup", "4:memory:/docker/0a1b\n1:name=systemd:/docker/0a1b\n");
        put("sys/fs/cgroup/memory/memory.oom_control", V1);
        put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");

        assertThat(asked()).as("no limit").isEqualTo("2 0");
    }

    @Test
    void whereThereIsNoneNothingIsCounted() throws Exception {
        put("proc/self/cgroup", "0::/\n");

        assertThat(asked()).isEqualTo("0 0");
    }
}
