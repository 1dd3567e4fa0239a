package dev.talaria.engine.toolcalls.stub;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardWatchEventKinds;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/// The agent's end of the file transport: answers request files, either rung by the scripts and ringing
/// them, or silently watching the folder.
final class FileResponder implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Path folder;
    private final int atLeast;
    private final Function<Map<String, Object>, Object> answers;
    private final Thread thread;
    private final List<Map<String, Object>> requests = new CopyOnWriteArrayList<>();
    private volatile boolean closed; // written by the test, read by the thread

    private FileResponder(Path folder, boolean rings, int atLeast, Function<Map<String, Object>, Object> answers)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.atLeast = atLeast;
        this.answers = answers;
        if (rings) {
            new ProcessBuilder("mkfifo", folder.resolve("bell").toString())
                    .start()
                    .waitFor();
            var bell = new RandomAccessFile(folder.resolve("bell").toFile(), "rw");
            this.thread = Thread.ofPlatform().daemon().start(() -> listen(bell));
        } else {
            var watch = folder.getFileSystem().newWatchService();
            folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            this.thread = Thread.ofPlatform().daemon().start(() -> {
                try (watch) {
                    while (!closed) {
                        answerAll();
                        watch.take().reset();
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    static FileResponder ringing(Path folder, Function<Map<String, Object>, Object> answers) throws Exception {
        return new FileResponder(folder, true, 1, answers);
    }

    static FileResponder silent(Path folder, Function<Map<String, Object>, Object> answers) throws Exception {
        return new FileResponder(folder, false, 1, answers);
    }

    /// Returns a responder that answers nothing before so many requests wait.
    static FileResponder atLeast(int size, Path folder, Function<Map<String, Object>, Object> answers)
            throws Exception {
        return new FileResponder(folder, false, size, answers);
    }

    /// Returns the requests read so far.
    List<Map<String, Object>> requests() {
        return requests;
    }

    private void listen(RandomAccessFile bell) {
        try (bell) {
            var rings = new byte[4096];
            while (bell.read(rings) > 0 && !closed) {
                answerAll();
                for (var waker : named("wake_\\d+")) {
                    try (var pipe = new RandomAccessFile(waker.toFile(), "rw")) {
                        pipe.write('!');
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answerAll() throws IOException {
        var files = named("req_\\d{6,}");
        if (files.size() < atLeast) {
            return;
        }
        for (var file : files) {
            var request = RpcServer.read(Files.readString(file));
            requests.add(request);
            Files.delete(file);
            var name = "res_%06d".formatted((Integer) request.get("seq"));
            Files.writeString(folder.resolve(name + ".tmp"), JSON.writeValueAsString(answers.apply(request)));
            Files.move(folder.resolve(name + ".tmp"), folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private List<Path> named(String pattern) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(pattern))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        if (Files.exists(folder.resolve("bell"))) {
            try (var bell = new RandomAccessFile(folder.resolve("bell").toFile(), "rw")) {
                bell.write('.');
            }
        }
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
