package dev.talaria.engine.gate;

import dev.talaria.api.DisplayText;
import dev.talaria.engine.json.JsonFields;
import java.util.LinkedHashMap;
import java.util.Map;

/// A permission of a person for more than one call. It covers what its words say, and nothing else.
public sealed interface Grant {

    /// The key of the rule for scripts. It is stored in files of approvals, so it stays as it is.
    String SCRIPTS = "execute_code";

    /// Returns what is allowed, in words.
    String words();

    /// Returns the extent of the grant, in words.
    default String scope() {
        return switch (this) {
            case Command _ -> "this command";
            case Below _ -> "this shape";
            case Kind _ -> "everything of this kind";
        };
    }

    /// Returns the fields that are stored.
    Map<String, Object> json();

    /// A folder, with the name of its sandbox. The same path in another sandbox is another folder.
    record SandboxFolder(String sandbox, String folder) {
        private static final String HERE = "local";

        void addTo(Map<String, Object> fields) {
            fields.put("place", sandbox);
            fields.put("folder", folder);
        }

        @Override
        public String toString() {
            return DisplayText.line(folder) + (sandbox.equals(HERE) ? "" : " (" + DisplayText.line(sandbox) + ")");
        }
    }

    /// Allows this very command or script, in one folder, whatever its dangers.
    ///
    /// @param what a command, a script, a line
    /// @param sha256 the hash of its text and its input
    record Command(String what, String sha256, SandboxFolder spot) implements Grant {
        @Override
        public String words() {
            return "this very " + DisplayText.line(what) + " in " + spot;
        }

        @Override
        public Map<String, Object> json() {
            Map<String, Object> fields = fields("command");
            spot.addTo(fields);
            fields.put("what", what);
            fields.put("sha256", sha256);
            return fields;
        }
    }

    /// Allows one kind of danger, if all changed paths are known and lie below a folder.
    ///
    /// @param rule the key of the rule
    record Below(String rule, SandboxFolder spot) implements Grant {
        @Override
        public String words() {
            return every(rule) + " that changes nothing but what lies below " + spot;
        }

        @Override
        public Map<String, Object> json() {
            Map<String, Object> fields = fields("folder");
            fields.put("rule", rule);
            spot.addTo(fields);
            return fields;
        }
    }

    /// Allows one kind of danger, anywhere.
    ///
    /// @param rule the key of the rule
    record Kind(String rule) implements Grant {
        @Override
        public String words() {
            return every(rule) + ", anywhere";
        }

        /// Only this one stores its rule as `key`: an older Talaria takes every `key` for a whole kind, and
        /// must not find one that counts in a folder only.
        @Override
        public Map<String, Object> json() {
            Map<String, Object> fields = fields("kind");
            fields.put("key", rule);
            return fields;
        }
    }

    /// Returns a kind of danger in words.
    static String every(String rule) {
        return rule.equals(SCRIPTS) ? "every script" : "every " + DisplayText.line(rule);
    }

    /// Reads a stored grant.
    ///
    /// @throws IllegalArgumentException if the fields are no grant
    static Grant of(Map<?, ?> fields) {
        String scope = JsonFields.text(fields, "scope").orElse("kind"); // as it was before there were scopes
        return switch (scope) {
            case "command" -> new Command(text(fields, "what"), text(fields, "sha256"), spot(fields));
            case "folder" -> new Below(text(fields, "rule"), spot(fields));
            case "kind" -> new Kind(text(fields, "key"));
            default -> throw new IllegalArgumentException("it has an unknown scope");
        };
    }

    private static SandboxFolder spot(Map<?, ?> fields) {
        return new SandboxFolder(text(fields, "place"), text(fields, "folder"));
    }

    static String text(Map<?, ?> fields, String name) {
        return JsonFields.text(fields, name)
                .orElseThrow(() -> new IllegalArgumentException("an approval has no " + name));
    }

    private static Map<String, Object> fields(String scope) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("scope", scope);
        return fields;
    }
}
