package dev.talaria.cli.doctor;

import dev.talaria.engine.config.LoadedConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Checks everything that a run needs.
public final class Doctor {
    private Doctor() {}

    /// Returns the findings. The last check is a real run on the chosen backend.
    public static List<Finding> examine(LoadedConfig loaded, Map<String, String> environment) {
        List<Finding> findings = new ArrayList<>(new HostChecks(loaded, environment).findings());
        findings.addAll(new Probe(loaded.settings(), environment).findings());
        return List.copyOf(findings);
    }
}
