package dev.talaria.engine.job.file;

import java.time.Duration;

/// Options for the exchange of requests and answers.
///
/// @param patience how long one exchange waits in the sandbox for a request
/// @param look how often it searches for requests that were not announced
/// @param maxRequest the longest request in bytes; a longer one gets an error
/// @param withoutToken whether a request without a token is served, as Hermes' own stub sends it:
///     then the folder, which only the run's user can enter, is the secret
public record FileOptions(Duration patience, Duration look, int maxRequest, boolean withoutToken) {

    /// Returns the standard options with the operator's choices.
    public static FileOptions of(int maxRequest, boolean withoutToken) {
        return new FileOptions(Duration.ofSeconds(10), Duration.ofMillis(50), maxRequest, withoutToken);
    }
}
