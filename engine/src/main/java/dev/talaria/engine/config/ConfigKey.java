package dev.talaria.engine.config;

import java.util.Locale;

/// One key of `talaria.yaml`: its name, its meaning, its default and who may set it. {@link ConfigKeys} lists all
/// keys.
public final class ConfigKey<T> {

    /// What a project's own `talaria.yaml` may do with a key.
    public enum InProject {
        /// Set it for sandboxes that isolate, where a project's choice can do no harm. Elsewhere the user's
        /// value counts.
        IN_SANDBOX,
        /// Lower it, or take names away.
        NARROW,
        /// Nothing. The key belongs into the user's file, since the agent can edit the project's file.
        REFUSED
    }

    private final String name;
    private final String sentence;
    private final InProject inProject;
    private final ValueKind<T> kind;
    private final T standard;

    ConfigKey(String name, ValueKind<T> kind, T standard, InProject inProject, String sentence) {
        this.name = name;
        this.sentence = sentence;
        this.inProject = inProject;
        this.kind = kind;
        this.standard = standard;
    }

    /// Returns the full name, with a dot for each level of the file: `script.timeout`.
    public String name() {
        return name;
    }

    /// Returns what the key means, in one sentence.
    public String sentence() {
        return sentence;
    }

    /// Returns the possible values in words, such as "true or false".
    public String form() {
        return kind.form();
    }

    /// Returns the default as it would be written in the file.
    public String standardText() {
        return kind.show().apply(standard);
    }

    /// Returns the environment variable that sets the key: `TALARIA_SCRIPT_TIMEOUT`.
    public String variable() {
        return "TALARIA_" + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    public InProject inProject() {
        return inProject;
    }

    ValueKind<T> kind() {
        return kind;
    }

    T standard() {
        return standard;
    }

    @Override
    public String toString() {
        return name;
    }
}
