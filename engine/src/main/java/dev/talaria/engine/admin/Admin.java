package dev.talaria.engine.admin;

import java.util.List;

/// Shows what the Talarias of one user have, whichever started it, and ends or removes it. It needs no engine.
///
/// ```java
/// Admin admin = Engine.admin(System.getenv());
/// admin.processes().forEach(process -> System.out.println(process.id() + " " + process.status()));
/// ```
public interface Admin {

    /// Returns the background processes, oldest first.
    List<ListedProcess> processes();

    /// Returns the sandboxes that are open or were left behind.
    SandboxList sandboxes();

    /// Removes temporary folders that killed Talarias left.
    ///
    /// @return what looks like such a folder and was left alone, a sentence each
    List<String> sweep();

    /// Returns what was allowed for good.
    Approvals approvals();

    /// Returns the questions that wait for an answer.
    PendingApprovals pendingApprovals();
}
