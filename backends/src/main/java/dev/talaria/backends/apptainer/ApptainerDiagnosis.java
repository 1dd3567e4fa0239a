package dev.talaria.backends.apptainer;

import java.util.List;
import java.util.Locale;

/// Explains why Apptainer does not start: its own messages tell what failed, not what to do.
final class ApptainerDiagnosis {
    /// A message, and what to do about it.
    private record Sign(String said, String step) {}

    private static final List<Sign> SIGNS = List.of(
            new Sign(
                    "no space left on device",
                    "The disk is full. Make room, or set option scratch to a folder that has it."),
            new Sign(
                    "disk quota exceeded",
                    "Your quota is used up. Make room, or set option scratch to another folder."),
            new Sign("squashfuse", "Install squashfuse, which shows an image file as a folder without root."),
            new Sign("fusermount", "Install fuse3, which mounts an image file without root."),
            new Sign(
                    "/dev/fuse",
                    "/dev/fuse is not there or not yours to open. Load the kernel module fuse (modprobe fuse)"
                            + " and make it accessible."),
            new Sign("mksquashfs", "Install squashfs-tools."),
            new Sign("newuidmap", "Install uidmap, or set option fakeroot to false."),
            new Sign(
                    "subuid",
                    "Root has to give you a range in /etc/subuid and /etc/subgid, or set option fakeroot to"
                            + " false."),
            new Sign("fakeroot", "This site does not let you be root in a container. Set option fakeroot to false."),
            new Sign(
                    "user namespace",
                    "Allow user namespaces (sysctl user.max_user_namespaces=10000; on Ubuntu an AppArmor"
                            + " profile for Apptainer), or have Apptainer installed with its setuid helper."),
            new Sign(
                    "overlay",
                    "The kernel or the file system of the scratch folder cannot lay one folder over another"
                            + " here. Install fuse-overlayfs, set option scratch to a local file system, or persistent to false."),
            new Sign(
                    "network",
                    "This site does not let a container have a network of its own. Set option network to host"
                            + " if its commands may use this machine's."),
            new Sign(
                    "unauthorized",
                    "Log in to the image's registry, or set APPTAINER_DOCKER_USERNAME and"
                            + " APPTAINER_DOCKER_PASSWORD."),
            new Sign("manifest unknown", "There is no such image in its registry. Check option image."),
            new Sign(
                    "no such host",
                    "The image's registry cannot be reached from here. Check option image, or build a SIF"
                            + " file elsewhere and name that."),
            new Sign("could not open image", "Check option image: it is no image that Apptainer can read."),
            new Sign("image format not recognized", "Check option image: it is no image that Apptainer can read."));

    private ApptainerDiagnosis() {}

    /// Returns the message for the user.
    ///
    /// @param instance the output of the attempt to start an instance
    /// @param alone the output of the attempt to run one command
    static String explain(String program, String image, String instance, String alone) {
        String both = (instance + "\n" + alone).toLowerCase(Locale.ROOT);
        String step = SIGNS.stream()
                .filter(sign -> both.contains(sign.said()))
                .map(Sign::step)
                .findFirst()
                .orElse("Try '" + program + " exec --containall " + image + " true' in a shell until it works.");
        return "Apptainer cannot start the image " + image + " (" + (alone.isBlank() ? instance : alone).strip() + "). "
                + step;
    }
}
