package dev.talaria.engine.job.relay;

import dev.talaria.engine.json.JsonFields;
import java.util.List;
import java.util.Map;

/// The relay's description of itself and its sandbox, sent when it is ready.
///
/// @param python the real path of its interpreter
/// @param version that interpreter's version
/// @param cwd the working folder that it was started in
public record RelayInfo(long pid, String python, List<Integer> version, String cwd) {

    static RelayInfo of(Map<String, Object> ready) {
        return new RelayInfo(
                JsonFields.longNumber(ready, "pid").orElse(-1),
                JsonFields.text(ready, "python").orElse("python3"),
                JsonFields.numbers(ready, "python_version"),
                JsonFields.text(ready, "cwd").orElse("/"));
    }
}
