package dev.talaria.engine.admin;

import java.util.List;

/// Lists, ends and removes what the Talarias of one user have: processes, sandboxes, approvals. It needs no engine.
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

    /// Removes the temporary folders of killed Talarias.
    ///
    /// @return a sentence for each folder that has such a name and was left alone
    List<String> sweep();

    /// Returns the approvals that count until somebody revokes them.
    Approvals approvals();

    /// Returns the questions that wait for an answer.
    PendingApprovals pendingApprovals();
}
