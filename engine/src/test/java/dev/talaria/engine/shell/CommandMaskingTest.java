package dev.talaria.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.output.Redactor.Mode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandMaskingTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "env",
                "printenv",
                "printenv MY_API_KEY",
                "set",
                "set | grep DB_PASS",
                "export",
                "export -p | sort",
                "declare -x",
                "cd /srv && env | sort",
                "X_API_KEY=abc env | grep X_",
                "env -u HOME",
                "sudo env",
                "bash -c 'env'",
                "echo $(env)",
                "cat .env",
                "cat /srv/app/.env.production",
                "head -5 ~/.bashrc",
                "grep PASS .bashrc",
                "grep -n PASS src/.env",
                "sed -n 1,5p .envrc",
                "awk -F= '{print $2}' .env",
                "cat < .env",
                "while read line; do echo $line; done < .env",
                "tr '\\0' '\\n' < /proc/self/environ",
                "cat /proc/1/environ",
                "cat prod.env",
                "cat .env*",
                "find . -name .env | xargs cat",
                "find . -name .env -exec cat {} +",
                "cat ~/.config/talaria/talaria.yaml",
            })
    void whatShowsVariablesIsMaskedByTheirNames(String command) {
        assertThat(CommandMasking.of(command)).isEqualTo(Mode.FULL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls -la",
                "cat src/environment.py",
                "set -e; cat settings.py",
                "set -euo pipefail\ncat config.py",
                "export A=1 && cat config.py",
                "declare -i n=1; cat config.py",
                "env PYTHONPATH=. python3 app.py",
                "env -u HOME python3 app.py",
                "env -C /srv ls",
                "grep -rn '.env' src",
                "grep .env Makefile",
                "echo 'cat .env'",
                "cat .env.example",
                "cp .env .env.bak",
                "cat $HOME/.env$SUFFIX",
                "cat config.yaml",
                "git commit -m 'read .env and set it'",
                "source venv/bin/activate && pytest",
            })
    void whatPrintsCodeIsNot(String command) {
        assertThat(CommandMasking.of(command)).isEqualTo(Mode.CODE);
    }
}
