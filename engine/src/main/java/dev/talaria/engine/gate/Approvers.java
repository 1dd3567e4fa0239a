package dev.talaria.engine.gate;

import dev.talaria.api.Approver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The approvers that can be asked. Doors come and go; the last one to come is asked first.
public final class Approvers {
    private final List<Approver> all = new CopyOnWriteArrayList<>();

    public Approvers(List<Approver> first) {
        all.addAll(first);
    }

    /// Adds an approver, who is asked before the others.
    public void add(Approver approver) {
        all.addFirst(approver);
    }

    public void remove(Approver approver) {
        all.remove(approver);
    }

    List<Approver> now() {
        return List.copyOf(all);
    }
}
