package dev.talaria.api;

/// How secrets are masked in what a tool returns.
public enum Masking {
    /// As in the output of programs, where a name such as `password` alone gives nothing away.
    OUTPUT,
    /// As in the text of a file: what stands in a secret's place is nothing that somebody would write back as a key.
    FILE
}
