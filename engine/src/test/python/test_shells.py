"""Shells: the state that the mux passes from one command line of a session to the next."""
import json
import os
import shutil
import signal
import subprocess
import unittest

from host import Case, Host, exists, relay

BASH = shutil.which("bash")


class ShellCase(Case):
    """Each test has its own relay: a relay is a session."""

    def setUp(self):
        super().setUp()
        self.host = Host()
        self.addCleanup(self.host.close)

    def run_line(self, command, **p):
        return self.host.result(self.host.line(command, **p))

    def said(self, command, **p):
        result = self.run_line(command, **p)
        self.assertEqual(result.report.get("code"), 0, result)
        return result.output.decode()


@unittest.skipUnless(BASH, "there is no bash")
class HandOverTest(ShellCase):
    def test_exports_and_the_folder_are_there_for_the_next_line(self):
        told = self.run_line("export GREETING='good day'; PLAIN=no; cd %s" % self.folder).report["shell"]

        self.assertEqual(told["cwd"], self.folder)
        self.assertEqual(self.said('echo "$GREETING" "${PLAIN-none}"; pwd'), "good day none\n%s\n" % self.folder)

    def test_a_line_that_exits_hands_over_what_it_had(self):
        self.assertEqual(self.run_line("export A=1; cd /usr; exit 3").report["code"], 3)

        self.assertEqual(self.said("echo $A; pwd"), "1\n/usr\n")

    def test_a_line_that_fails_hands_over_what_it_had(self):
        self.assertEqual(self.run_line("export A=1; false").report["code"], 1)

        self.assertEqual(self.said("echo $A"), "1\n")

    def test_a_line_that_is_killed_hands_over_nothing(self):
        self.said("export A=before; cd /usr")
        for end in ("", "trap 'exit 0' TERM; "):  # it dies of TERM, or exits at TERM
            job = self.host.line(end + "export A=after; cd /; echo up; while :; do sleep 1000 & wait; done")
            self.assertEqual(self.host.line_of(job), b"up")
            self.host.send(b"K", job, {"grace": 1000})
            self.host.result(job)

            self.assertEqual(self.said("echo $A; pwd"), "before\n/usr\n")

    def test_a_line_that_dies_of_a_signal_hands_over_nothing(self):
        self.said("export A=before")
        self.assertEqual(self.run_line("export A=after; kill -KILL $$").report["signal"], signal.SIGKILL)

        self.assertEqual(self.said("echo $A"), "before\n")

    def test_a_line_apart_hands_over_nothing(self):
        self.run_line("export A=apart; cd /usr", apart=True)

        self.assertEqual(self.said('echo "${A-none}"'), "none\n")

    def test_a_line_can_be_set_apart_while_it_runs(self):
        job = self.host.line("export A=apart; echo up; read line", stdin=True)
        self.assertEqual(self.host.line_of(job), b"up")
        self.assertEqual(self.host.answer(self.host.ask(b"Y", {"job": job}))[0].kind, b"g")
        self.host.send(b"I", job, b"\n")
        self.host.result(job)

        self.assertEqual(self.said('echo "${A-none}"'), "none\n")

    def test_lines_at_the_same_time_keep_both_of_their_changes(self):
        self.said("export BOTH=old GONE=old")
        one = self.host.line("export ONE=1; unset GONE; echo up; read line", stdin=True)
        self.assertEqual(self.host.line_of(one), b"up")
        self.said("export TWO=2 BOTH=new")
        self.host.send(b"I", one, b"\n")
        self.host.result(one)

        self.assertEqual(self.said('echo $ONE $TWO $BOTH "${GONE-gone}"'), "1 2 new gone\n")

    def test_a_folder_for_one_line_is_for_one_line(self):
        self.said("cd /usr")
        self.assertEqual(self.said("pwd; cd /", workdir=self.folder), self.folder + "\n")

        self.assertEqual(self.said("pwd"), "/usr\n")

    def test_a_folder_that_is_gone_is_said_and_the_nearest_taken(self):
        os.makedirs(self.path("here/below"))
        self.said("cd " + self.path("here/below"))
        shutil.rmtree(self.path("here"))
        result = self.run_line("pwd")

        self.assertEqual(result.output.decode(), self.folder + "\n")
        self.assertIn("is gone", result.report["shell"]["note"])

    def test_the_folder_before_is_known(self):
        self.said("cd /usr; cd %s" % self.folder)

        self.assertEqual(self.said("cd -; pwd"), "/usr\n/usr\n")

    def test_values_with_all_kinds_of_characters_survive(self):
        value = "a'b\"c\\d$e`f\n\tg\x1b h\u00e9 \u4e2d!"
        self.said("export ODD=%s" % self.quoted(value))
        self.said("true")

        self.assertEqual(self.said('printf %s "$ODD"'), value)

    @staticmethod
    def quoted(text):
        return "'" + text.replace("'", "'\\''") + "'"

    def test_names_that_may_hold_secrets_are_not_kept(self):
        self.said("export API_TOKEN=secret PLAIN=kept", take="login", never=["TOKEN"])

        self.assertEqual(self.said('echo "${API_TOKEN-none}" $PLAIN'), "none kept\n")

    def test_our_own_names_are_not_kept_nor_seen(self):
        self.said("export TALARIA_X=1 HERMES_RPC_X=1 SHLVL=9")

        self.assertEqual(self.said('echo "${TALARIA_X-none} ${HERMES_RPC_X-none}"; declare -p __talaria 2>&1 | grep -c __tal.*=;'
                                   ' :'), "none none\n0\n")

    def test_functions_aliases_and_options_of_the_login_shell_are_in_every_line(self):
        with open(os.path.join(self.host.folder, ".bash_profile"), "w") as f:
            f.write("greet() { echo hello $1; }\n_private() { :; }\nalias hi='echo hi there'\nset -o noclobber\nexport LOGGED=in\n")
        self.run_line("", take="snapshot", never=[])

        self.assertEqual(self.said("greet you; hi; echo $LOGGED; set -o | grep noclobber | tr -s ' \\t' ' '; type _private 2>&1 "
                                   "| grep -c function; :"), "hello you\nhi there\nin\nnoclobber on\n0\n")

    def test_output_of_both_kinds_comes_in_its_order(self):
        self.assertEqual(self.said("echo 1; echo 2 >&2; echo 3"), "1\n2\n3\n")

    def test_a_line_is_read_as_it_is(self):
        self.assertEqual(self.said("cat <<'END'\n$HOME `x` \\\nEND\necho $LINENO"), "$HOME `x` \\\n4\n")

    def test_a_daemon_of_a_line_is_dead_when_it_has_ended(self):
        result = self.run_line("setsid sleep 1000 > /dev/null 2>&1 & echo $!")

        self.assertFalse(exists(int(result.output)))

    def test_what_a_line_starts_inherits_no_file_of_its_session(self):
        said = self.said("for fd in /proc/self/fd/*; do readlink $fd; done | grep -c memfd; :")

        self.assertEqual(said, "0\n")

    def test_what_would_run_a_line_is_told_and_works_without_the_relay(self):
        self.said("export KEPT=yes; cd /usr")
        number = self.host.ask(b"L", {"shell": {"command": "echo $KEPT; pwd"}, "env_hash": "e", "env": {"PATH": os.environ["PATH"]}})
        frame, data = self.host.answer(number)

        self.assertEqual(frame.kind, b"g")
        told = json.loads(data)
        self.assertEqual(told["cwd"], "/usr")
        self.assertEqual(told["env"]["KEPT"], "yes")
        self.assertNotIn("TALARIA_JOB", told["env"])
        self.assertIn("echo $KEPT; pwd", told["files"][0])


class ExportsTest(unittest.TestCase):
    """Reads the output of `export -p` of several shells."""
    VALUES = {"PLAIN": "word", "BLANK": "two words", "QUOTES": "it's \"so\"", "LINES": "a\nb\n", "DOLLAR": "$x `y` \\z",
              "TAB": "a\tb", "ESCAPE": "\x1b[0m\x01", "BYTES": "caf\u00e9", "EQUALS": "a=b=c", "LIKE_A_LINE": "x\nexport Y=z\n"}

    def check(self, *shell):
        said = subprocess.run([*shell, "export -p"], env=dict(self.VALUES, PATH=os.environ["PATH"]), stdout=subprocess.PIPE,
                              check=True).stdout
        found = relay.Exports.read(said)

        self.assertEqual({name: found.get(name) for name in self.VALUES}, self.VALUES)
        self.assertNotIn("Y", found)

    @unittest.skipUnless(BASH, "there is no bash")
    def test_bash(self):
        self.check(BASH, "-c")

    @unittest.skipUnless(BASH, "there is no bash")
    def test_bash_in_posix_mode(self):
        self.check(BASH, "--posix", "-c")

    def test_sh(self):
        self.check("/bin/sh", "-c")

    @unittest.skipUnless(shutil.which("busybox"), "there is no busybox")
    def test_busybox(self):
        self.check("busybox", "sh", "-c")

    def test_names_without_a_value_and_arrays_are_left_out(self):
        self.assertEqual(relay.Exports.read(b'declare -x EMPTY\ndeclare -ax ARRAY=([0]="1")\nexport A="1"\n'), {"A": "1"})


class WantedFunctionsTest(unittest.TestCase):
    def test_private_functions_stay_if_another_needs_them(self):
        text = b"_lost () \n{ \n    :\n}\n_used () \n{ \n    _deeper\n}\n_deeper () \n{ \n    :\n}\nopen () \n{ \n    _used\n}\n"
        kept = {function.split(b" ", 1)[0] for function in relay.wanted_functions(text, b"")}

        self.assertEqual(kept, {b"open", b"_used", b"_deeper"})

    def test_an_alias_needs_functions_too(self):
        text = b"_used () \n{ \n    :\n}\n"

        self.assertEqual(len(relay.wanted_functions(text, b"alias x='_used'")), 1)
        self.assertEqual(relay.wanted_functions(text, b""), [])
