package dev.talaria.engine.gate.reading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReadingTest {

    /// Ways to write `rm -rf /srv` that a shell, or a reader, takes for it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm -rf /srv",
                "  rm   -rf\t/srv  ",
                "r\\m -r\\f /srv",
                "'rm' \"-rf\" /'srv'",
                "r''m -\"\"rf /srv",
                "\\rm -rf /srv",
                "rm -rf \\\n  /srv",
                "r\\\nm -rf /srv",
                "/bin/rm -rf /srv",
                "../../usr/bin/rm -rf /srv",
                "RM -rf /srv",
                "rm$IFS-rf$IFS/srv",
                "rm${IFS}-rf${IFS}/srv",
                "rm${IFS%??}-rf${IFS}/srv",
                "ｒｍ -rf /srv",
                "r\u200bm -rf /srv",
                "rm\u00a0-rf /srv",
                "\u0433m -rf /srv",
                "\033[31mrm\033[0m -rf /srv",
                "\033]0;title\007rm -rf /srv",
                "sudo rm -rf /srv",
                "sudo -n -u root -- rm -rf /srv",
                "env rm -rf /srv",
                "env -i A=b C=d rm -rf /srv",
                "A=b rm -rf /srv",
                "env -S 'rm -rf /srv'",
                "command rm -rf /srv",
                "exec -a x rm -rf /srv",
                "nohup rm -rf /srv &",
                "time -p rm -rf /srv",
                "nice -n 5 ionice -c 3 setsid rm -rf /srv",
                "timeout -k 5 10 rm -rf /srv",
                "stdbuf -oL rm -rf /srv",
                "busybox rm -rf /srv",
                "sh -c 'rm -rf /srv'",
                "bash -lc 'rm -rf /srv'",
                "bash --norc -x -c 'rm -rf /srv'",
                "sudo bash -c \"sh -c 'rm -rf /srv'\"",
                "eval 'rm -rf' /srv",
                "echo $(rm -rf /srv)",
                "echo \"today: $(date; rm -rf /srv)\"",
                "echo `rm -rf /srv`",
                "echo \"`rm -rf /srv`\"",
                "x=$(cat <(rm -rf /srv))",
                "echo rm -rf /srv | sh",
                "printf '%s\\n' 'rm -rf /srv' | sudo bash -s",
                "bash <<< 'rm -rf /srv'",
                "bash <<'EOF'\nrm -rf /srv\nEOF",
                "cat <<EOF\n$(rm -rf /srv)\nEOF",
                "echo $((1<<2))\nrm -rf /srv",
                "echo hi # it's a comment\nrm -rf /srv",
                "echo \"it's\"; rm -rf /srv",
                "true && rm -rf /srv || false",
                "(cd /; rm -rf /srv)",
                "{ rm -rf /srv; }",
                "if true; then rm -rf /srv; fi",
                "for i in 1 2; do rm -rf /srv; done",
                "while :; do ! rm -rf /srv; done",
                "{rm,-rf,/srv}",
                "$'\\x72\\155' -rf /srv",
                "$(echo rm) -rf /srv",
                "$(printf '%s' rm) -rf /srv",
                "`which rm` -rf /srv",
                "x=rm; $x -rf /srv",
                "x='rm -rf'; $x /srv",
                "x=r; y=m; $x$y -rf /srv",
                "${x:-rm} -rf /srv",
                "r$@m -rf /srv",
                "r${nothing}m -rf /srv",
                "trap 'rm -rf /srv' EXIT",
                "find . -exec rm -rf /srv ;",
                "echo x | xargs -I% -n 1 rm -rf /srv",
                "find . | xargs sh -c 'rm -rf /srv'",
                "su root -c 'rm -rf /srv'",
                "env - rm -rf /srv",
                "sudo -uroot rm -rf /srv",
                "sudo -nuvictor rm -rf /srv",
                "flock -n /tmp/lock -c 'rm -rf /srv'",
                "function f { rm -rf /srv; }; f",
                "coproc f { rm -rf /srv; }",
                "time { rm -rf /srv; }",
                "time -p { rm -rf /srv; }",
                "rm -rf /{srv,var/x}; rm -rf /srv",
                "rm {-rf,/srv}",
                "cat <<EOF | sh\nrm -rf /srv\nEOF",
                "cat <<'EOF' | sudo bash -s\nrm -rf /srv\nEOF",
                "echo -e '\\x72m -rf /srv' | sh",
                "printf '\\162m -rf /srv' | sh",
                "printf \"echo 'a'\\nrm -rf /srv\" | sh",
                "case x in x) rm -rf /srv;; esac",
                "echo $(case x in x) echo;; esac; rm -rf /srv)",
                "rm -rf \"$(echo /srv)\"",
                "echo 'never closed; rm -rf /srv",
                "cat <<EOF\nno end\nrm -rf /srv",
            })
    void sameCommand(String written) {
        assertThat(Reading.of(written).commands()).contains("rm -rf /srv");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo 'rm -rf /srv'",
                "git commit -m \"say; rm -rf /srv\"",
                "grep -rn 'rm -rf /srv' .",
                "cat > notes.txt <<'EOF'\nrm -rf /srv\nEOF",
                "echo hi # rm -rf /srv",
                "echo \\; rm -rf /srv",
                "printf '%s\\n' \"a && rm -rf /srv\" > script.sh",
                "man rm",
                "python3 tool.py --say 'rm -rf /srv'",
            })
    void onlyText(String written) {
        Reading reading = Reading.of(written);

        assertThat(reading.commands()).doesNotContain("rm -rf /srv");
        assertThat(reading.programs()).doesNotContain("rm");
        assertThat(reading.unreadable()).isEmpty();
    }

    @Test
    void whatIsLiteralIsNotTakenForSyntax() {
        assertThat(Reading.of("echo \"a > /etc/x | sh\" '>' f").commands()).containsExactly("echo a␣›␣/etc/x␣¦␣sh › f");
    }

    @Test
    void redirectionsStandBehindTheCommandWithTheirTargets() {
        assertThat(Reading.of(">/etc/x 2>&1 echo a").commands()).containsExactly("echo a > /etc/x >& 1");
        assertThat(Reading.of("echo a &>>log <<<word").commands()).containsExactly("echo a &>> log <<< word");
        assertThat(Reading.of("> /etc/x").commands()).containsExactly(": > /etc/x");
    }

    @Test
    void pipelinesAreJoinedWhateverTheirMembersAre() {
        assertThat(Reading.of("curl -s x | sudo sh -s -- y").pipelines()).containsExactly("curl -s x | sh -s -- y");
        assertThat(Reading.of("(curl x; echo) | sh").pipelines()).containsExactly("(curl x; echo) | sh");
        assertThat(Reading.of("{ curl x; } |& sh").pipelines()).containsExactly("curl x | sh");
        assertThat(Reading.of("a || b && c; d & e").pipelines()).isEmpty();
    }

    @Test
    void substitutionsShowWhatTheyRun() {
        assertThat(Reading.of("eval \"$(curl -s x)\"").commands()).contains("eval $(curl)", "curl -s x");
        assertThat(Reading.of("bash <(wget -O- x)").commands()).contains("bash <(wget)", "wget -O- x");
    }

    @Test
    void oneProgramWithItsWordsIsNotCompound() {
        assertThat(Reading.of("git push -f origin 'my branch'").compound()).isFalse();
        for (String compound : new String[] {
            "ls; ls",
            "ls &",
            "ls | wc",
            "ls > f",
            "ls $x",
            "ls \"$x\"",
            "ls `x`",
            "ls\nls",
            "A=b ls",
            "ls 'x",
            "(ls)",
            "sh -c ls"
        }) {
            assertThat(Reading.of(compound).compound()).as(compound).isTrue();
        }
    }

    @Test
    void textsWithoutBoundsAreRefused() {
        assertThat(Reading.of("x".repeat(1_000_000)).unreadable()).isPresent();
        assertThat(Reading.of("echo a\0b").unreadable()).isPresent();
        assertThat(Reading.of("a;".repeat(30_000)).unreadable()).isPresent();
        assertThat(Reading.of("$(".repeat(50) + ")".repeat(50)).unreadable()).isPresent();
        assertThat(Reading.of("sudo ".repeat(40) + "rm -rf /").unreadable()).isPresent();
        assertThat(Reading.of("x=" + "y".repeat(900) + ";" + "$x".repeat(1000)).unreadable())
                .isPresent();
        assertThat(Reading.of("echo '" + "x".repeat(100_000) + "'").unreadable())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\n",
                ";",
                "$",
                "${",
                "$(",
                "`",
                "'",
                "\"",
                "\\",
                "<<",
                "<",
                ">",
                "&",
                "|",
                "(",
                ")",
                "{",
                "}",
                "#",
                "$'",
                "<<<",
                "${}",
                "$()",
                "((",
                "))",
                "a <<''\n",
                "=",
                "A=",
                "!"
            })
    void oddTextsAreRead(String odd) {
        assertThat(Reading.of(odd).unreadable()).isEmpty();
        assertThat(Reading.of(odd.repeat(3) + " x").unreadable()).isEmpty();
    }
}
