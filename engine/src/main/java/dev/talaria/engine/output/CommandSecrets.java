package dev.talaria.engine.output;

import java.util.regex.Pattern;

/// Masks passwords in command lines that follow an option of one letter.
final class CommandSecrets {

    private static final Pattern USER = Pattern.compile(
            "((?<![\\w-])(?:-u|--user|--proxy-user|-U)[ =]?[\"']?[^\\s:\"'/]{1,128}+:)([^\\s\"']{1,512}+)");
    private static final Pattern SSHPASS = Pattern.compile("(sshpass[ \\t]{1,8}+-p[ \\t]?[\"']?)([^\\s\"']{1,256}+)");
    private static final Pattern LOGIN = Pattern.compile(
            "((?:docker|podman|helm|az|oc)(?: registry)? login\\b[^\\n|;&]{0,300}? -p[ =]?[\"']?)([^\\s\"']{1,1024}+)");
    private static final Pattern MYSQL = Pattern.compile(
            "((?<![\\w./-])(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)[ \\t][^\\n|;&]{0,300}? -p[\"']?)([^\\s\"'=-][^\\s\"']{3,256}+)");
    private static final Pattern TO_LOGIN = Pattern.compile(
            "(echo[ \\t]{1,8}+(?:-n[ \\t]{1,8}+)?[\"']?)([^\\s\"'|]{8,2048}+)(?=[\"']?[ \\t]{1,8}+\\|[^\\n|]{1,200}?--(?:password|token)-stdin)");

    private CommandSecrets() {}

    static String mask(String text, Redactor.Mode mode) {
        if (!text.contains(" -")) {
            return text;
        }
        String shown = secret(text, "-stdin", TO_LOGIN, mode);
        shown = secret(shown, "curl", USER, mode);
        shown = secret(shown, "sshpass", SSHPASS, mode);
        shown = secret(shown, " login", LOGIN, mode);
        shown = secret(shown, "mysql", MYSQL, mode);
        return secret(shown, "mariadb", MYSQL, mode);
    }

    private static String secret(String text, String anchor, Pattern pattern, Redactor.Mode mode) {
        return LineSearch.replace(text, LineSearch.literal(anchor), pattern, match -> {
            String secret = match.group(2);
            boolean kept = Masks.isMasked(secret) || Masks.isReference(secret);
            return kept ? match.group() : match.group(1) + Masks.hidden(mode);
        });
    }
}
