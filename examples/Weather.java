import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;

void main() {
    Map<String, Object> schema = Map.of("type", "object", "properties", Map.of("city", Map.of("type", "string")));
    try (var engine = Engine.builder()
            .tool("weather", "Tells the weather.", schema, given -> given.get("city") + ": sunny")
            .build()) {
        var script = "from hermes_tools import weather\nfor city in 'Athens', 'Oslo': print(weather(city)['result'])";
        IO.println(engine.call(ToolCall.of("execute_code", Map.of("code", script))).value().get("output"));
    }
}
