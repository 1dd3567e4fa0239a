package dev.talaria.engine.tool.files;

import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Upload;
import java.util.List;

/// A file in a sandbox that its relay holds open.
record RelayFile(Upload upload, Patience patience) implements HeldFile {

    @Override
    public String path() {
        return upload.held(patience).path();
    }

    @Override
    public List<String> homes() {
        return upload.held(patience).homes();
    }

    @Override
    public String write(byte[] content) {
        return upload.write(content, patience);
    }

    @Override
    public void close() {
        upload.close();
    }
}
