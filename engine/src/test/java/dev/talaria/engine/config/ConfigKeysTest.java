package dev.talaria.engine.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ConfigKeysTest {

    @Test
    void everyDeclaredKeyIsListedOnce() throws Exception {
        List<Object> declared = new ArrayList<>();
        for (Class<?> type : classesOfThePackage()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getType() == ConfigKey.class && Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    declared.add(field.get(null));
                }
            }
        }

        assertThat(ConfigKeys.all()).hasSizeGreaterThan(40).doesNotHaveDuplicates();
        assertThat(declared).containsExactlyInAnyOrderElementsOf(ConfigKeys.all());
        assertThat(ConfigKeys.all().stream().<String>map(ConfigKey::name)).doesNotHaveDuplicates();
    }

    private static List<Class<?>> classesOfThePackage() throws Exception {
        URI own = ConfigKeys.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        String name = ConfigKeys.class.getPackageName();
        List<Class<?>> types = new ArrayList<>();
        for (String file : files(Path.of(own).resolve(name.replace('.', '/')))) {
            types.add(Class.forName(name + "." + file.replace(".class", "")));
        }
        return types;
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.startsWith("package-info"))
                    .toList();
        }
    }
}
