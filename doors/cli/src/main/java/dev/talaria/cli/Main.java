package dev.talaria.cli;

/** Where {@code ./talaria} starts. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        String version = Main.class.getPackage().getImplementationVersion();
        System.out.println("talaria " + (version == null ? "(development)" : version));
    }
}
