package dev.talaria.backends.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderMapTest {
    private final FolderMap map = new FolderMap(
            List.of(new FolderMap.Shared("/home/me", "/mine"), new FolderMap.Shared("/home/me/project", "/workspace")),
            "/home/talaria");

    @Test
    void whatIsSharedHasItsNameInside() {
        assertThat(map.inside("/home/me/project/src")).contains("/workspace/src");
        assertThat(map.inside("/home/me/other")).contains("/mine/other");
        assertThat(new FolderMap(List.of(new FolderMap.Shared("/", "/host")), "/root").inside("/srv"))
                .contains("/host/srv");
    }

    @Test
    void whatIsInsideStaysAsItIs() {
        assertThat(map.inside("/srv/data")).contains("/srv/data");
        assertThat(map.inside("~")).contains("/home/talaria");
        assertThat(map.inside("~/work")).contains("/home/talaria/work");
        assertThat(map.inside("/home/talaria")).contains("/home/talaria");
        assertThat(map.inside("/home/talaria/only-there")).contains("/home/talaria/only-there");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/home/you", "/home/meadow", "/Users/me", "project", "./x", "../x", "C:\\work", "C:/work", ""})
    void whatLooksLikeOneOfThisMachineIsNotThere(String wanted) {
        assertThat(map.inside(wanted)).isEmpty();
    }
}
