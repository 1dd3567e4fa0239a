package dev.talaria.api;

/// How secrets are masked in what a tool returns.
public enum Masking {
    /// The result is output of a program. A name such as `password` alone does not make a value a secret.
    OUTPUT,
    /// The result is the text of a file. A mask cannot be mistaken for a key and written back.
    FILE
}
