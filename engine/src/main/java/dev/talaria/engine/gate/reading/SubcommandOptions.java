package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.Set;

/// Knows which options of programs with subcommands take the next word.
final class SubcommandOptions {
    /// Options in front of the subcommand that take the next word.
    private static final Set<String> VALUED = Words.set("""
            -C -c --git-dir --work-tree --namespace --exec-path --prefix --dir --cwd -H --host --context --config -l
            --log-level -n --kubeconfig --cluster --user -s --server --token --as --kube-context --profile --region
            --output -o --query --endpoint-url --project --account --configuration --subscription -R --repo --filter
            --workspace -w -M --machine -t --type --state --root --proxy --index-url -i -f --file -p --project-name
            --project-directory --env-file --registry --connect --address -chdir --stack
            """);

    /// Options that take no value, whatever the program.
    private static final Set<String> ALONE = Words.set("""
            -q -y -v -a -A -r -rf -fr -d -i -it --quiet --silent --yes --verbose --force --all --now --system
            --no-block --no-pager --debug --no-cache --rm --recursive --dry-run --cached --staged --keep --no-verify
            --no-edit --amend --patch --detach --tags --prune --global --local --offline --hard --soft --mixed --merge
            --no-ff --ff-only --ff --rebase --stat --name-only --oneline --no-ask-password --runtime --no-wall
            --no-legend --full --user --json --no-color
            """);

    /// Letters of git whose value may stand in the same word: `-m"text"`.
    private static final String ATTACHED = "mFCSGLUO";

    /// Programs without subcommands whose options change everything.
    static final Set<String> TELLING =
            Set.of("find", "rsync", "tar", "sed", "gsed", "dd", "xargs", "cp", "mv", "ln", "install", "kill", "sort");

    private SubcommandOptions() {}

    static boolean valued(String program, String option) {
        boolean own = (program.equals("systemctl") && option.equals("--user"))
                || (program.equals("npm")
                        && Set.of("-s", "-l", "-f", "-p").contains(option)); // here they take no value
        return VALUED.contains(option) && !own;
    }

    static boolean alone(String option) {
        return ALONE.contains(option);
    }

    /// Returns whether the part of a word that names an option is not known.
    static boolean hidden(String program, String word, UnknownValues marks) {
        if (program.equals("dd")) {
            return word.indexOf('=') < 0 && marks.made(word);
        }
        if (word.length() < 2 || word.charAt(0) != '-') {
            return false;
        }
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        boolean whole = program.equals("find") || word.startsWith("--");
        return marks.made(whole ? name : word.substring(1, 2));
    }

    /// Returns whether it is not known which option a word is.
    static boolean unclear(String program, String word, UnknownValues marks) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        if (!marks.made(name)) {
            return false;
        }
        boolean attached = word.length() > 2
                && !word.startsWith("--")
                && (program.equals("git")
                        ? ATTACHED.indexOf(word.charAt(1)) >= 0
                        : Character.isLetter(word.charAt(1)) && !UnknownValues.mark(word.charAt(1)));
        return !attached;
    }
}
