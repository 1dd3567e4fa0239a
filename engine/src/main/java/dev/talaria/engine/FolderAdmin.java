package dev.talaria.engine;

import dev.talaria.api.Backends;
import dev.talaria.api.Usage;
import dev.talaria.engine.admin.Admin;
import dev.talaria.engine.admin.Approvals;
import dev.talaria.engine.admin.ListedProcess;
import dev.talaria.engine.admin.ListedSandbox;
import dev.talaria.engine.admin.PendingApprovals;
import dev.talaria.engine.admin.PruneResult;
import dev.talaria.engine.admin.SandboxList;
import dev.talaria.engine.audit.AuditLog;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.gate.StoredApprovals;
import dev.talaria.engine.gate.StoredQuestions;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.sandbox.SandboxRecord;
import dev.talaria.engine.sandbox.SandboxRegistry;
import dev.talaria.engine.sandbox.SandboxUsages;
import dev.talaria.engine.tool.process.PublishedProcess;
import dev.talaria.engine.tool.process.SurvivingProcess;
import dev.talaria.engine.util.ScratchFolder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Lists and removes what the Talarias of a user keep on record in their folders.
final class FolderAdmin implements Admin, SandboxList {
    private final Folders folders;
    private final SandboxRegistry registry;

    FolderAdmin(Folders folders) {
        this.folders = folders;
        this.registry = new SandboxRegistry(folders, Backends::find);
    }

    @Override
    public List<ListedProcess> processes() {
        return Stream.<ListedProcess>concat(
                        SurvivingProcess.all(folders).stream(), PublishedProcess.all(folders).stream())
                .sorted(Comparator.comparing(ListedProcess::started))
                .toList();
    }

    @Override
    public SandboxList sandboxes() {
        return this;
    }

    @Override
    public List<String> sweep() {
        return ScratchFolder.sweep();
    }

    @Override
    public Approvals approvals() {
        return new StoredApprovals(folders);
    }

    @Override
    public PendingApprovals pendingApprovals() {
        return new StoredQuestions(
                folders,
                event -> {
                    try (AuditLog audit = AuditLog.open(folders, Redactor.on())) {
                        audit.on(event);
                    }
                },
                InstantSource.system());
    }

    @Override
    public List<ListedSandbox> all() {
        return List.copyOf(SandboxRecord.all(folders));
    }

    @Override
    public Map<String, Usage> usages(Duration limit) {
        return SandboxUsages.of(SandboxRecord.all(folders), Backends::find, limit);
    }

    @Override
    public void remove(ListedSandbox sandbox) {
        SandboxRecord.all(folders).stream()
                .filter(record -> record.id().equals(sandbox.id()))
                .forEach(registry::remove);
    }

    @Override
    public PruneResult prune() {
        SandboxRegistry.Swept swept = registry.sweep();
        return new PruneResult(swept.removed(), swept.left());
    }
}
