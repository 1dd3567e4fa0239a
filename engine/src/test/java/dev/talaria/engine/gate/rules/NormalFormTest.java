package dev.talaria.engine.gate.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NormalFormTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "git --work-tree X reset --hard | git reset --hard",
                "git -P push --force | git push --force",
                "git -C a -c b=c --no-pager push -uf origin | git push -u -f origin",
                "git push --del origin x | git push --delete origin x",
                "git -C a stash -q drop | git stash drop",
                "git checkout -bfix | git checkout -b fix",
                "git checkout -- -f | git checkout -- -f",
                "git log -1 > x | git log -1 > x",
                "npm --prefix D uninstall x | npm uninstall x",
                "npm --pref D uninstall x | npm uninstall x",
                "docker --context c compose -f a -p b down -v | docker compose down -v",
                "docker -H tcp://x volume rm y | docker volume rm y",
                "docker run -itv/:/x y | docker run -i -t -v /:/x y",
                "kubectl -n p delete --force pod x | kubectl delete pod x --force",
                "aws --profile p s3 --region r rm s3://x | aws s3 rm s3://x",
                "python3.11 -m pip --no-cache-dir uninstall x | pip uninstall x",
                "cargo +nightly uninstall x | cargo uninstall x",
                "rm --recurs --forc x | rm --recursive --force x",
                "rm -- --recurs | rm -- --recurs",
                "rsync -an --del a b | rsync -a -n --del a b",
                "truncate -s0 x | truncate -s 0 x",
                "ls -la | ls -la",
                "git | git",
                "git -C | git"
            })
    void aCommandHasOneSpelling(String written, String normal) {
        assertThat(NormalForm.of(written)).isEqualTo(normal);
    }
}
