package dev.talaria.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Arrows point down only: doors to engine to api, backends to api. Every module is on this module's class path. */
@DisplayName("Architecture")
final class ArchitectureTest {

    private static final String ENGINE = "dev.talaria.engine";

    private static JavaClasses talaria;

    @BeforeAll
    static void readEveryModule() {
        talaria = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.talaria");
    }

    @Test
    @DisplayName("all modules were read")
    void everyModuleIsHere() {
        for (String module : new String[] {"api", "engine", "backends", "mcp", "cli"}) {
            assertThat(talaria.stream().anyMatch(c -> c.getPackageName().startsWith("dev.talaria." + module)))
                    .as("classes of dev.talaria.%s on the class path", module)
                    .isTrue();
        }
    }

    @Test
    @DisplayName("api needs nothing but the JDK and JSpecify")
    void apiStandsAlone() {
        check(classes()
                .that()
                .resideInAPackage("dev.talaria.api..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.talaria.api..", "java..", "javax..", "jdk..", "org.jspecify.."));
    }

    @Test
    @DisplayName("the engine knows api, and neither doors nor backends")
    void engineKnowsOnlyApi() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.talaria.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.talaria.backends..",
                        "dev.talaria.mcp..",
                        "dev.talaria.cli..",
                        "dev.talaria.testkit..",
                        "dev.talaria.bench.."));
    }

    @Test
    @DisplayName("backends know only api, and need no further jars")
    void backendsKnowOnlyApi() {
        check(classes()
                .that()
                .resideInAPackage("dev.talaria.backends..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.talaria.backends..", "dev.talaria.api..", "java..", "javax..", "jdk..", "org.jspecify.."));
    }

    @Test
    @DisplayName("backends do not know one another, only the packages process and options")
    void placesStandAlone() {
        check(slices().matching("dev.talaria.backends.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(
                        alwaysTrue(),
                        resideInAnyPackage("dev.talaria.backends.process..", "dev.talaria.backends.options..")));
    }

    @Test
    @DisplayName("doors never name a backend class")
    void doorsFindBackendsByServiceLoader() {
        check(noClasses()
                .that()
                .resideInAnyPackage("dev.talaria.mcp..", "dev.talaria.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.talaria.backends.."));
    }

    @Test
    @DisplayName("doors see only the engine's public packages")
    void doorsStayOutside() {
        check(classes()
                .that()
                .resideInAnyPackage("dev.talaria.mcp..", "dev.talaria.cli..")
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage("dev.talaria.engine..")
                        .or(resideInAnyPackage(ENGINE, ENGINE + ".admin", ENGINE + ".config", ENGINE + ".json"))));
    }

    @Test
    @DisplayName("the public packages use only public types")
    void theApiIsWhole() {
        List<String> hidden = new ArrayList<>();
        for (JavaClass type : talaria) {
            String of = enginePackage(type);
            if (!Set.of("engine", "admin", "config", "json").contains(of)
                    || !type.getModifiers().contains(JavaModifier.PUBLIC)) {
                continue;
            }
            for (JavaCodeUnit unit : type.getCodeUnits()) {
                if (!unit.getModifiers().contains(JavaModifier.PUBLIC)) {
                    continue;
                }
                Stream.concat(unit.getParameterTypes().stream(), Stream.of(unit.getReturnType()))
                        .flatMap(used -> used.getAllInvolvedRawTypes().stream()) // List<Hidden>, too
                        .filter(used ->
                                !Set.of("", "engine", "admin", "config", "json").contains(enginePackage(used)))
                        .map(used -> unit.getFullName() + " shows " + used.getSimpleName())
                        .forEach(hidden::add);
            }
        }

        assertThat(hidden).isEmpty();
    }

    @Test
    @DisplayName("no public method takes an Optional, except for the constructors of records")
    void optionalsAreReturnedOnly() {
        List<String> asked = talaria.stream()
                .filter(type ->
                        Set.of("dev.talaria.api", ENGINE, ENGINE + ".admin").contains(type.getPackageName()))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(type -> type.getCodeUnits().stream())
                .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(unit -> !(unit.isConstructor() && unit.getOwner().isRecord()))
                .filter(unit -> unit.getRawParameterTypes().stream()
                        .anyMatch(type -> type.getName().startsWith("java.util.Optional")))
                .map(JavaCodeUnit::getFullName)
                .toList();

        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName("the MCP door does not know the command line")
    void mcpDoesNotKnowCli() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.talaria.mcp..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.talaria.cli.."));
    }

    @Test
    @DisplayName("only the MCP door imports the MCP SDK and Reactor")
    void onlyMcpKnowsTheSdk() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.talaria..")
                .and()
                .resideOutsideOfPackage("dev.talaria.mcp..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.modelcontextprotocol..", "reactor.."));
    }

    @Test
    @DisplayName("only the command line imports JLine and Logback")
    void onlyCliKnowsTheTerminal() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.talaria..")
                .and()
                .resideOutsideOfPackage("dev.talaria.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jline..", "ch.qos.logback.."));
    }

    @Test
    @DisplayName("engine packages know only packages below them in ARCHITECTURE.md's list")
    void enginePackagesPointDown() throws IOException {
        List<String> listed = listedPackages();
        List<String> upward = new ArrayList<>();
        Set<String> there = new TreeSet<>();
        for (JavaClass type : talaria) {
            String from = enginePackage(type);
            if (from.isEmpty()) {
                continue;
            }
            there.add(from);
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> enginePackage(dependency.getTargetClass()))
                    .filter(to -> !to.isEmpty() && listed.indexOf(to) < listed.indexOf(from))
                    .map(to -> type.getSimpleName() + " of " + from + " knows " + to)
                    .distinct()
                    .forEach(upward::add);
        }

        assertThat(upward).isEmpty();
        assertThat(listed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(there);
    }

    /** Returns the first cells of the table "Packages of the engine". */
    private static List<String> listedPackages() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = folder.getParent();
        }
        String text = Files.readString(folder.resolve("ARCHITECTURE.md"));
        String section = text.substring(text.indexOf("## Packages of the engine"), text.indexOf("## The relay"));
        return Pattern.compile("(?m)^\\| `([a-z.]+)` \\|")
                .matcher(section)
                .results()
                .map(row -> row.group(1))
                .toList();
    }

    private static String enginePackage(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(ENGINE)
                ? "engine"
                : name.startsWith(ENGINE + ".") ? name.substring(ENGINE.length() + 1) : "";
    }

    /** A module without classes yet breaks no rule; {@link #everyModuleIsHere} is the guard against looking at nothing. */
    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(talaria);
    }
}
