package dev.talaria.engine.decide.reading;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Programs that run another program with its words: `sudo`, `env`, `nohup` and their like.
final class Wrappers {
    /// @param letters short options that take a value
    /// @param names long options
    /// @param positionals how many words of its own come before the command
    /// @param not options with which nothing is run
    /// @param shell whether it starts a shell if it is given no command
    record Wrapper(String letters, List<String> names, int positionals, Set<String> not, boolean shell) {}

    /// One line for each: its name, letters with values, positionals, options with which it runs nothing, long options
    /// (`*`: none of which takes the next word).
    private static final String TABLE = """
            sudo ughpCrtTUDRc 0 vlVKe user:,group:,host:,prompt:,close-from:,role:,type:,command-timeout:,other-user:,chdir:,chroot:,login,shell,stdin,askpass,background,bell,preserve-env?,edit,set-home,help,remove-timestamp,reset-timestamp,list,non-interactive,no-update,preserve-groups,validate,version
            doas uCa 0 L -
            env uCSa 0 - unset:,chdir:,split-string:,argv0:,ignore-environment,null,debug,block-signal?,default-signal?,ignore-signal?,list-signal-handling,help,version
            command - 0 vV -
            builtin - 0 - -
            exec a 0 - -
            nohup - 0 - help,version
            setsid - 0 - ctty,fork,wait,help,version
            time fo 0 - format:,output:,append,portability,quiet,verbose,help,version
            nice n 0 - adjustment:,help,version
            ionice cnpPu 0 pPu class:,classdata:,pid:,pgid:,uid:,ignore,help,version
            chrt TPDp 1 pm all-tasks,batch,deadline,fifo,idle,other,rr,reset-on-fork,pid:,max,verbose,help,version,sched-runtime:,sched-period:,sched-deadline:
            taskset - 1 p all-tasks,pid,cpu-list,help,version
            stdbuf ioe 0 - input:,output:,error:,help,version
            timeout sk 1 - signal:,kill-after:,foreground,preserve-status,verbose,help,version
            chroot - 1 - userspec:,groups:,skip-chdir,help,version
            strace eopsaPSuUXEIObz 0 p output:,trace:,attach:,user:,string-limit:,follow-forks,help,version
            ltrace eopsaulnxFAw 0 p output:,library:,help,version
            unbuffer - 0 - -
            caffeinate tw 0 - -
            pkexec - 0 - user:,disable-internal-agent,keep-cwd,help,version
            systemd-run pEtMHuG 0 - unit:,property:,setenv:,machine:,host:,slice:,uid:,gid:,nice:,working-directory:,on-active:,on-boot:,on-calendar:,description:,service-type:,user,system,scope,pty,pipe,wait,collect,quiet,no-block,remain-after-exit,send-sighup,same-dir,shell,no-ask-password,slice-inherit
            systemd-inhibit - 0 - what:,who:,why:,mode:,list
            setpriv - 0 d reuid:,regid:,groups:,inh-caps:,ambient-caps:,bounding-set:,securebits:,pdeathsig:,selinux-label:,apparmor-profile:,ruid:,euid:,rgid:,egid:,clear-groups,keep-groups,init-groups,no-new-privs,nnp,reset-env,dump,list-caps,help,version
            setarch pF 0 - uname-2.6,verbose,help
            linux64 - 0 - -
            linux32 - 0 - -
            i386 - 0 - -
            x86_64 - 0 - -
            fakeroot lfsib 0 - lib:,faked:
            firejail - 0 - -
            gosu - 1 - -
            su-exec - 1 - -
            prlimit po 0 p pid:,output:,core?,cpu?,data?,fsize?,nofile?,nproc?,stack?,as?,rss?,memlock?
            cgexec g 0 - sticky
            numactl CNmipl 0 - cpunodebind:,physcpubind:,membind:,interleave:,preferred:
            rlwrap afHscCbDgIlmnopqrSstPw 0 - -
            catchsegv - 0 - -
            winpty - 0 - -
            chronic - 0 - -
            busybox - 0 - help,list,install
            toybox - 0 - help
            ld-linux-x86-64.so.2 - 0 - library-path:,preload:,audit:,argv0:,list,verify,inhibit-cache
            ld-linux-aarch64.so.1 - 0 - library-path:,preload:,audit:,argv0:,list,verify,inhibit-cache
            torsocks - 0 - -
            torify - 0 - -
            proxychains - 0 - -
            proxychains4 f 0 - -
            dbus-run-session - 0 - config-file:,dbus-daemon:,help,version
            xvfb-run efnspw 0 - auth-file:,error-file:,server-num:,server-args:,xauth-protocol:,wait:,auto-servernum,listen-tcp
            valgrind - 0 - *
            softlimit - 0 - -
            eatmydata - 0 - -
            dumb-init - 0 - -
            tini - 0 - -
            nocache - 0 - -
            trickle dusltLwNp 0 - -
            choom np 0 p adjust:,pid:
            uclampset mMpP 0 p -
            unshare SGRwlCmuinpUT 0 - mount?,uts?,ipc?,net?,pid?,user?,cgroup?,time?,fork,kill-child?,mount-proc?,map-user:,map-group:,map-users:,map-groups:,map-root-user,map-current-user,map-auto,propagation:,setgroups:,keep-caps,root:,wd:,setuid:,setgid:,monotonic:,boottime:,help,version
            nsenter tSGrw 0 - target:,mount?,uts?,ipc?,net?,pid?,user?,cgroup?,time?,setuid:,setgid:,preserve-credentials,root?,wd?,wdns:,no-fork,all,follow-context,help,version
            """;

    private static final Set<String> STARTING_SHELLS = Set.of("unshare", "nsenter", "chroot", "pkexec", "sudo", "doas");
    private static final Map<String, Wrapper> ALL = table();

    private Wrappers() {}

    private static Map<String, Wrapper> table() {
        Map<String, Wrapper> all = new HashMap<>();
        TABLE.lines().forEach(line -> {
            String[] cells = line.split(" ", -1);
            String letters = cells[1].equals("-") ? "" : cells[1];
            Set<String> not = cells[3].equals("-")
                    ? Set.of()
                    : Set.copyOf(List.of(cells[3].split("", -1)).stream()
                            .filter(letter -> !letter.isEmpty())
                            .toList());
            List<String> names = cells[4].equals("-") ? List.of() : List.of(cells[4].split(",", -1));
            all.put(
                    cells[0],
                    new Wrapper(letters, names, Integer.parseInt(cells[2]), not, STARTING_SHELLS.contains(cells[0])));
        });
        return all;
    }

    static Optional<Wrapper> of(String program) {
        return Optional.ofNullable(ALL.get(program));
    }
}
