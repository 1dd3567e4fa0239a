package dev.talaria.engine.gate.reading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands that stand in programs of other languages.
final class OtherLanguagesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3 -c'import os; os.system(\"rm -rf build\")'",
                "perl -e'system(\"rm -rf build\")'",
                "ruby -e'system(\"rm -rf build\")'",
                "python3 -W ignore -c 'import os; os.system(\"rm -rf build\")'",
                "python3 -X dev -Ic'import os; os.system(\"rm -rf build\")'",
                "perl -I lib -e 'system(\"rm -rf build\")'",
                "perl '-Mstrict;system(\"rm -rf build\")' -e 1",
                "perl -0pe 'system(\"rm -rf build\")' f",
                "perl -i.bak -pe 'qx/rm -rf build/' f",
                "perl -e 'system(rm=>\"-rf\"=>\"build\")'",
                "php -d a=1 -r 'system(\"rm -rf build\");'",
                "php -R '`rm -rf build`;'",
                "php -r 'passthru(\"rm -rf build\");'",
                "node -r x -e 'require(\"child_process\").execSync(\"rm -rf build\")'",
                "node --import x --eval 'require(\"child_process\").execSync(\"rm -rf build\")'",
                "ruby -C x -r fileutils -e '%x{rm -rf build}'",
                "ruby -e '%x|rm -rf build|'",
                "lua -l x -e 'os.execute(\"rm -rf build\")'",
                "luajit -e 'os.execute[[rm -rf build]]'",
                "deno eval 'new Deno.Command(\"rm\", {args: [\"-rf\", \"build\"]}).outputSync()'",
                "bun exec 'rm -rf build'",
                "bun -e 'await Bun.$`rm -rf build`'",
                "R -e 'system(\"rm -rf build\")'",
                "Rscript -e 'system(\"rm -rf build\")'",
                "osascript -e 'do shell script \"rm -rf build\"'",
                "python3 /dev/stdin <<< 'import os; os.system(\"rm -rf build\")'",
                "python3 <(echo 'import os; os.system(\"rm -rf build\")')",
                "echo 'import os; os.system(\"rm -rf build\")' > x.py; python3 x.py",
                "python3 -c \"import os; os.system('r' + 'm -rf build')\"",
                "python3 -m timeit 'import os; os.system(\"rm -rf build\")'",
                "ipython -c '!rm -rf build'",
                "awk 'BEGIN{system(\"rm -rf build\")}'",
                "awk -f - <<< 'BEGIN{system(\"rm -rf build\")}'",
                "awk -f /dev/stdin <<< 'BEGIN{system(\"rm -rf build\")}'",
                "gawk --source 'BEGIN{print | \"rm -rf build\"}'",
                "dc -e '!rm -rf build'",
                "vim -es -c 'silent !rm -rf build' -c q",
                "vim -c ':call system(\"rm -rf build\")'",
                "vim -c 'exe \"!rm -rf build\"' f",
                "nvim --headless +'lua os.execute(\"rm -rf build\")' +q",
                "printf 'r !rm -rf build\\nq\\n' | ed f",
                "sed '/./e rm -rf build' f",
                "sed '$!e rm -rf build' f",
                "sed --expression='1e rm -rf build' f",
                "sed --exp '1erm -rf build' f",
                "sed '\\,a,{s/[/]/x/;e rm -rf build' f",
                "sed -f - f <<< '1e rm -rf build'",
                "sed -i '' '1e rm -rf build' f",
                "less '+!rm -rf build' f",
                "git grep -O'rm -rf build' x",
                "tar cIf 'rm -rf build' x y",
                "rsync -ae 'rm -rf build' h:x y"
            })
    void holdsACommand(String written) {
        assertThat(Reading.of(written).commands().stream().map(String::strip)).contains("rm -rf build");
    }

    /// What these run is not told, or not taken apart: somebody is asked.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "awk '{ system($0) }' f",
                "awk -v c='rm -rf build' 'BEGIN{c | getline}'",
                "awk 'BEGIN{print \"rm -rf build\" | \"sh\"}'",
                "sed 's/.*/rm -rf build/e' f",
                "sed -n '/x/{e\n}' f",
                "psql -c \"COPY t TO PROGRAM 'rm -rf build'\"",
                "psql -c '\\! rm -rf build'",
                "sqlite3 x '.shell rm -rf build'",
                "sqlite3 x '.sh rm -rf build'",
                "mysql -e '\\! rm -rf build'",
                "mysql <<< 'system rm -rf build'",
                "tclsh <<< 'exec rm -rf build'",
                "groovy -e '\"rm -rf build\".execute()'",
                "jshell <<< 'Runtime.getRuntime().exec(\"rm -rf build\")'",
                "gdb -batch -ex '!rm -rf build'",
                "gdb -x <(echo 'shell rm -rf build')"
            })
    void runsSomething(String written) {
        assertThat(Reading.of(written).unknown()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sed -n '1,80p' tests/unit/core/engine.py",
                "sed 's/https:\\/\\/example.com/x/' f",
                "sed -i 's|a/b|c/e|g' src/e.txt",
                "sed -e 's/e/E/' -e '/^$/d' f",
                "sed '/start/,/end/d' f",
                "sed '1!G;h;$!d' f",
                "sed 's/[/]e/x/;y/abc/xye/' f",
                "sed \"s/$a/$b/;${n}p\" f",
                "sed -e :a -e '$!N;s/\\n/ /;ta' f",
                "sed 'a\\\ne foo' f",
                "awk '/error|warn/ {print}' log",
                "awk '{print $1 > \"out.txt\"}' f",
                "awk '{print $1 | \"sort\"}' f",
                "awk 'BEGIN{\"date\" | getline d; print d}'",
                "awk '$1 == \"a\" || $2 > \"b\"' f",
                "python3 script.py -c 'import os; os.system(\"rm -rf build\")'",
                "python3 -m pytest -c setup.cfg",
                "python3 -W ignore -c 'print(\"rm -rf build\")'",
                "perl -Mstrict -ne 'print if /x/' /etc/passwd",
                "perl -pi -e 's/a/b/' src/x.txt",
                "psql -c 'select * from system_settings'",
                "mysql -e 'select system from t'",
                "sqlite3 x.db '.schema'",
                "vim -es -c '%s/a!/b/' -c wq f",
                "printf 'a\\nfoo!\\n.\\nw\\nq\\n' | ed -s f",
                "bc -l <<< '2 != 3'",
                "Rscript -e 'print(1)'",
                "rev f"
            })
    void isOrdinary(String written) {
        Reading reading = Reading.of(written);

        assertThat(reading.unknown()).isEmpty();
        assertThat(reading.programs()).doesNotContain("rm");
        assertThat(reading.writes()).noneMatch(path -> path.contains("/etc"));
    }

    /// Mode `ask` and deny rules see programs wherever they stand.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3 -c'hello()'",
                "python3 -W ignore -Bc 'hello()'",
                "perl -I lib -e 'hello()'",
                "node -r x -e 'hello()'",
                "php -d a=1 -r 'hello()'",
                "R -e 'hello()'",
                "ruby /dev/stdin <<< 'hello()'",
                "echo 'hello()' > x.py; python3 x.py",
                "tclsh <<< 'hello()'",
                "julia -e 'hello()'",
                "deno eval 'hello()'",
                "lua - <<< 'hello()'",
            })
    void isCode(String written) {
        assertThat(Reading.of(written).code().stream().map(String::strip)).contains("hello()");
    }
}
