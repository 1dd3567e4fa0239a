package dev.talaria.backends.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FolderNamesTest {
    @Test
    void aPlainNameIsKept() {
        assertThat(FolderNames.of("task-7_a.b")).isEqualTo("task-7_a.b");
    }

    @Test
    void noTwoTextsShareAFolderAndNoneLeavesIt() {
        String longOne = "x".repeat(120);
        List<String> texts = List.of("", ".", "..", "../a", "a/b", "a_b", "a:b", longOne + "Aa", longOne + "BB");

        List<String> names = texts.stream().map(FolderNames::of).toList();

        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,120}"));
        assertThat(names.stream().map(String::length).collect(Collectors.toSet()))
                .allMatch(length -> length <= 100);
    }
}
