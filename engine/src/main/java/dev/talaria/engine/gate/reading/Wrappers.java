package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Knows the options of programs that run another program with its words: `sudo`, `env`, `nohup`.
final class Wrappers {
    /// The options of one such program.
    ///
    /// @param letters short options that take a value, a slash, and short options that take none
    /// @param names long options
    /// @param positionals how many words of its own stand before the command
    /// @param not options with which it runs nothing
    /// @param shell whether it starts a shell if no command is given
    record Wrapper(String letters, List<String> names, int positionals, Set<String> not, boolean shell) {}

    /// One line for each program: its name, letters with values, number of words of its own, options
    /// with which it runs nothing, long options (`*`: none of them takes the next word).
    private static final String TABLE = """
            sudo ughpCrtTUDRc/ABbEeHiKklnNPSsVv 0 vlVKe user:,group:,host:,prompt:,close-from:,role:,type:,command-timeout:,other-user:,chdir:,chroot:,login,shell,stdin,askpass,background,bell,preserve-env?,edit,set-home,help,remove-timestamp,reset-timestamp,list,non-interactive,no-update,preserve-groups,validate,version
            doas uCa/Lns 0 L -
            env uCSa/i0v 0 - unset:,chdir:,split-string:,argv0:,ignore-environment,null,debug,block-signal?,default-signal?,ignore-signal?,list-signal-handling,help,version
            command /pvV 0 vV -
            builtin / 0 - -
            exec a/cl 0 - -
            nohup / 0 - help,version
            setsid /cfwhV 0 - ctty,fork,wait,help,version
            time fo/apqvVhl 0 - format:,output:,append,portability,quiet,verbose,help,version
            nice n/0123456789 0 - adjustment:,help,version
            ionice cnpPu/thV 0 pPu class:,classdata:,pid:,pgid:,uid:,ignore,help,version
            chrt TPDp/abdfimorRvhV 1 pm all-tasks,batch,deadline,fifo,idle,other,rr,reset-on-fork,pid:,max,verbose,help,version,sched-runtime:,sched-period:,sched-deadline:
            taskset /apchV 1 p all-tasks,pid,cpu-list,help,version
            stdbuf ioe/ 0 - input:,output:,error:,help,version
            timeout sk/vfp 1 - signal:,kill-after:,foreground,preserve-status,verbose,help,version
            chroot / 1 - userspec:,groups:,skip-chdir,help,version
            strace eopsaPSuUXEIOb/fFdDqrtTvVwxycCiknhzZA 0 p output:,trace:,attach:,user:,string-limit:,follow-forks,help,version,summary-only,summary,quiet?,seccomp-bpf,absolute-timestamps?,relative-timestamps?,syscall-times?,successful-only,failed-only,no-abbrev,strings-in-hex?,decode-fds?,status:,trace-path:,signal:,interruptible:,env:,output-separately,summary-sort-by:,instruction-pointer,stack-traces
            ltrace eopsaulnxFAwD/bcCdfhiLrStTV 0 p output:,library:,help,version
            unbuffer /p 0 - -
            caffeinate tw/dimsu 0 - -
            pkexec / 0 - user:,disable-internal-agent,keep-cwd,help,version
            systemd-run pEMHuC/rtPqGdSh 0 - unit:,property:,setenv:,machine:,host:,slice:,uid:,gid:,nice:,working-directory:,on-active:,on-boot:,on-calendar:,description:,service-type:,user,system,scope,pty,pipe,wait,collect,quiet,no-block,remain-after-exit,send-sighup,same-dir,shell,no-ask-password,slice-inherit
            systemd-inhibit / 0 - what:,who:,why:,mode:,list
            setpriv /dhV 0 d reuid:,regid:,groups:,inh-caps:,ambient-caps:,bounding-set:,securebits:,pdeathsig:,selinux-label:,apparmor-profile:,ruid:,euid:,rgid:,egid:,clear-groups,keep-groups,init-groups,no-new-privs,nnp,reset-env,dump,list-caps,help,version
            setarch p/BFILRSTXZ3vhV 0 - uname-2.6,verbose,help
            linux64 p/BFILRSTXZ3vhV 0 - -
            linux32 p/BFILRSTXZ3vhV 0 - -
            i386 p/BFILRSTXZ3vhV 0 - -
            x86_64 p/BFILRSTXZ3vhV 0 - -
            fakeroot lfsib/uhv 0 - lib:,faked:
            firejail / 0 - *
            gosu / 1 - -
            su-exec / 1 - -
            prlimit poc?d?e?f?i?l?m?n?q?r?s?t?u?v?x?y?/hV 0 p pid:,output:,core?,cpu?,data?,fsize?,nofile?,nproc?,stack?,as?,rss?,memlock?,noheadings,raw,verbose,help,version
            cgexec g/ 0 - sticky
            numactl CNmipPc/lsHba 0 - cpunodebind:,physcpubind:,membind:,interleave:,preferred:,localalloc,show,hardware,all,balancing,huge,touch
            rlwrap bCDfgHlMOPqsStwza?p?m?d?A?/ceEhiInNorRTuUvWxX 0 - -
            catchsegv / 0 - -
            winpty / 0 - -
            chronic /ev 0 - -
            busybox / 0 - help,list,install
            toybox / 0 - help
            ld-linux-x86-64.so.2 / 0 - library-path:,preload:,audit:,argv0:,list,verify,inhibit-cache
            ld-linux-aarch64.so.1 / 0 - library-path:,preload:,audit:,argv0:,list,verify,inhibit-cache
            torsocks aPup/iqd 0 - -
            torify /vh 0 - -
            proxychains f/q 0 - -
            proxychains4 f/q 0 - -
            dbus-run-session / 0 - config-file:,dbus-daemon:,help,version
            xvfb-run efnspw/ahl 0 - auth-file:,error-file:,server-num:,server-args:,xauth-protocol:,wait:,auto-servernum,listen-tcp
            valgrind /hqvd 0 - *
            softlimit acdflmnoprst/ 0 - -
            eatmydata / 0 - -
            dumb-init r/cvhV 0 - -
            tini pe/vswghl 0 - -
            nocache n/ 0 - -
            trickle duwtlnNpPL/svVh 0 - -
            choom np/hV 0 p adjust:,pid:
            uclampset mMp/asRvhV 0 p -
            unshare SGRwl/muinpUCTfrchV 0 - mount?,uts?,ipc?,net?,pid?,user?,cgroup?,time?,fork,kill-child?,mount-proc?,map-user:,map-group:,map-users:,map-groups:,map-root-user,map-current-user,map-auto,propagation:,setgroups:,keep-caps,root:,wd:,setuid:,setgid:,monotonic:,boottime:,help,version
            nsenter tSGNm?u?i?n?p?U?C?T?r?w?W?/aeFZckhV 0 - target:,mount?,uts?,ipc?,net?,pid?,user?,cgroup?,time?,setuid:,setgid:,preserve-credentials,root?,wd?,wdns:,no-fork,all,follow-context,help,version
            perf eoptCFcIrDGxjMNm/adgiqsvABTSnlR 0 - event:,output:,pid:,tid:,cpu:,freq:,count:,repeat:,interval-print:,field-separator:,metrics:,call-graph:,delay:,timeout:,all-cpus,no-inherit,detailed,verbose,quiet,per-core,per-socket,per-node,big-num,null,sync,append,all-user,all-kernel
            bwrap / 0 - bind::,bind-try::,ro-bind::,ro-bind-try::,dev-bind::,dev-bind-try::,symlink::,setenv::,file::,bind-data::,ro-bind-data::,bind-fd::,ro-bind-fd::,chmod::,chdir:,dev:,proc:,tmpfs:,mqueue:,dir:,uid:,gid:,hostname:,unsetenv:,lock-file:,sync-fd:,seccomp:,add-seccomp-fd:,exec-label:,file-label:,remount-ro:,cap-add:,cap-drop:,perms:,size:,userns:,userns2:,pidns:,info-fd:,json-status-fd:,block-fd:,userns-block-fd:,argv0:,unshare-all,share-net,unshare-user,unshare-user-try,unshare-ipc,unshare-pid,unshare-net,unshare-uts,unshare-cgroup,unshare-cgroup-try,die-with-parent,new-session,as-pid-1,clearenv,disable-userns,assert-userns-disabled
            proot rRSbqwkvim/0hV 0 - rootfs:,bind:,mount:,qemu:,cwd:,pwd:,kernel-release:,verbose:,change-id:,root-id,link2symlink,kill-on-exit
            ifne /n 0 - -
            setuidgid / 1 - -
            envuidgid / 1 - -
            envdir /v 1 - -
            chpst uUbenlLmdopfcrt/PvV012 0 - -
            flatpak-spawn / 0 - *
            sshpass pfdP/ehvV 0 - -
            ssh-agent atEPO/csDdkT 0 kcs -
            run0 ug/ 0 - user:,group:,unit:,property:,description:,slice:,nice:,chdir:,setenv:,background:,machine:,pty,pipe,slice-inherit,no-ask-password
            with-contenv / 0 - -
            """;

    private static final Set<String> STARTING_SHELLS = Set.of("unshare", "nsenter", "chroot", "pkexec", "sudo", "doas");
    private static final Map<String, Wrapper> ALL = table();

    private Wrappers() {}

    private static Map<String, Wrapper> table() {
        return Words.rows(TABLE).stream().collect(Collectors.toMap(List::getFirst, Wrappers::wrapper));
    }

    private static Wrapper wrapper(List<String> cells) {
        return new Wrapper(
                cells.get(1),
                Words.parts(cells.get(4)),
                Integer.parseInt(cells.get(2)),
                cells.get(3).chars().mapToObj(Character::toString).collect(Collectors.toSet()),
                STARTING_SHELLS.contains(cells.getFirst()));
    }

    static Optional<Wrapper> of(String program) {
        return Optional.ofNullable(ALL.get(program));
    }
}
