package dev.talaria.engine.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PreparationTest {
    private final Preparation preparation = new Preparation();
    private final List<Optional<String>> heard = new ArrayList<>();

    @Test
    void whoeverComesMeanwhileHearsWhatIsGoingOn() {
        preparation.begin().accept("the image");
        preparation.add(heard::add);
        preparation.over();

        assertThat(heard).containsExactly(Optional.of("the image"), Optional.empty());
    }

    @Test
    void whatAStepSaysAfterItsEndIsNotHeard() {
        Consumer<String> image = preparation.begin();
        image.accept("the image");
        preparation.over();
        image.accept("the image is late");
        preparation.add(heard::add);
        Consumer<String> folder = preparation.begin();
        image.accept("the image is very late");
        folder.accept("the folder");

        assertThat(heard).containsExactly(Optional.of("the folder"));
    }
}
