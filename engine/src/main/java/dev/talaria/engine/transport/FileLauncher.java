package dev.talaria.engine.transport;
import dev.talaria.api.*; import dev.talaria.engine.start.*; import dev.talaria.engine.rpc.*; import java.util.*;
public final class FileLauncher implements Launcher { public FileLauncher(Sandbox s, Switchboard w, List<String> p) {} @Override public Job start(JobSpec a, OutputSink b){ throw new IllegalStateException("later"); } }
