package dev.talaria.engine.job.file;

import dev.talaria.api.RunningProcess;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.ShortCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One command in the sandbox that writes answers, waits for requests and returns them.
final class Exchange implements AutoCloseable {
    private final FileToolCalls toolCalls;
    private final Map<Long, byte[]> answers;
    private final RunningProcess process;
    private final byte[] input;
    private final String mark;
    private final int maxFrame;
    private boolean delivered; // used only by the thread that runs it

    /// How an exchange ended.
    enum Outcome {
        /// It returned requests, or waited for them for its whole time.
        SERVED,
        /// A later exchange took its place.
        SUPERSEDED,
        /// The folder does not exist any more.
        GONE,
        /// It failed; the next exchange may work.
        FAILED
    }

    private Exchange(
            FileToolCalls toolCalls,
            Map<Long, byte[]> answers,
            RunningProcess process,
            byte[] input,
            String mark,
            int maxFrame) {
        this.toolCalls = toolCalls;
        this.answers = answers;
        this.process = process;
        this.input = input;
        this.mark = mark;
        this.maxFrame = maxFrame;
    }

    /// Starts an exchange. An exchange with a later turn makes an earlier one leave.
    ///
    /// @throws SandboxException if it could not be started
    static Exchange start(ExchangeOrders steps, String folder, int turn, FileOptions options, FileToolCalls toolCalls) {
        Map<Long, byte[]> answers = toolCalls.take();
        List<List<Object>> announced = new ArrayList<>();
        answers.forEach((seq, content) -> announced.add(List.of(seq, content.length)));
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("step", "exchange");
        order.put("mark", steps.mark());
        order.put("folder", folder);
        order.put("turn", turn);
        order.put("wait", options.patience().toMillis() / 1000.0);
        order.put("look", options.look().toMillis() / 1000.0);
        order.put("max", options.maxRequest());
        order.put("answers", announced);
        byte[] input = ExchangeOrders.input(order, List.copyOf(answers.values()));
        try {
            return new Exchange(toolCalls, answers, steps.start(), input, steps.mark(), options.maxRequest());
        } catch (SandboxException e) {
            toolCalls.giveBack(answers);
            throw e;
        }
    }

    /// Runs the whole exchange; blocks until it is over.
    Outcome run() {
        // platform: pipes hold their carriers
        Thread.ofPlatform().daemon().name("exchange-input").start(() -> ShortCommand.feed(process.stdin(), input));
        Thread.ofPlatform().daemon().name("exchange-stderr").start(this::drain);
        Outcome outcome = Outcome.FAILED;
        try {
            ExchangeFrames frames = ExchangeFrames.after(process.stdout(), mark, maxFrame);
            for (Optional<ExchangeFrames.Frame> next = frames.next(); next.isPresent(); next = frames.next()) {
                outcome = take(next.get());
            }
        } catch (IOException e) {
            outcome = Outcome.FAILED;
        } finally {
            if (!delivered) {
                toolCalls.giveBack(answers);
            }
            process.close();
        }
        return outcome;
    }

    private Outcome take(ExchangeFrames.Frame frame) {
        switch (frame.kind()) {
            case 'd' -> delivered = true;
            case 'q' -> toolCalls.request(frame.payload());
            case 'o' -> toolCalls.tooLong(frame.text());
            case 'e' -> {
                return switch (frame.text()) {
                    case "superseded" -> Outcome.SUPERSEDED;
                    case "gone" -> Outcome.GONE;
                    default -> Outcome.SERVED;
                };
            }
            default -> {} // 'u': an answer could not be written, and the script may time out
        }
        return Outcome.FAILED; // until it reports its end
    }

    private void drain() {
        try {
            process.stderr().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The stream was closed with its process.
        }
    }

    /// Ends the exchange at once, whatever it does.
    @Override
    public void close() {
        process.kill();
        process.close();
    }
}
