package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Finds files that programs write because an option names them: `curl -o`, `sort --output`.
final class OutputOptions {
    /// One line for each program: names; letters whose value is a file; letters that take another
    /// value; long options whose value is a file; long options that take another value.
    private static final String TABLE = """
            curl oDc AbCdeEFHKmPQrtTuUwxXyYz output,dump-header,cookie-jar,output-dir,trace,trace-ascii,stderr,etag-save,hsts,alt-svc,libcurl header,data,user,request,url,form,proxy,cacert,cert,key,max-time,retry,user-agent,write-out,connect-timeout
            wget,wget2 OPoa ieBtTwQUlADIRX output-document,directory-prefix,output-file,append-output,save-cookies,warc-file,rejected-log,hsts-file header,user,password,tries,timeout,user-agent,input-file,accept,reject,level
            sort o kStT output key,field-separator,buffer-size,temporary-directory
            shuf o nie output head-count,input-range
            iconv o ft output from-code,to-code
            gpg,gpg2 o ruN output recipient,local-user,homedir,passphrase
            age,rage o rRi output recipient,identity
            ssh-keygen f abCDEFIJjKLMmNnOPRrSsTtVvWwYZz - -
            csplit f bn prefix suffix-format,digits
            mktemp p - tmpdir suffix
            aria2c dol sxkjiZ dir,out,log,save-session input-file,split,header
            xmllint,xsltproc,fop o - output schema,xpath
            pandoc o ftVMHBA output,extract-media from,to,template
            psql oL cfdhpUvFPRT output,log-file command,file,dbname,host,port,username,set,variable
            mysql,mariadb - ehPpuD tee execute,host,user,port
            rustc o LlC out-dir,emit edition,crate-type,crate-name,target
            pip,pip2,pip3,uv tdw rcebif target,prefix,root,dest,wheel-dir,log,report,src requirement,index-url,extra-index-url,find-links,python
            npm,pnpm - w prefix,cache workspace,registry,tag
            ar,gar - - output -
            base64,base32 o iwb output wrap
            yt-dlp,youtube-dl oP f output,paths format
            http,https,xh o - output -
            javac,kotlinc,scalac d - - classpath
            strip,objdump,dot,bison,flex,yacc,as,ld,gold,lld,cpp,asciidoctor,zstd,lz4,axel,protoc,esbuild,tsc,sass o LlITKGNE output,outfile,outdir,outFile,outDir,out format
            less oO pPtTjkxyz log-file,LOG-FILE -
            tcpdump,tshark w ceirsBCGWZ - -
            strace,ltrace o eapsSuUXEIObz output trace,user
            time o f output format
            helm d fn destination,output-dir values,namespace
            screen - SscehpT Logfile -
            logrotate s - state,log -
            zipinfo,zipnote - - - -
            """;

    /// Options with one dash and a whole word whose value is a file, by program.
    private static final Map<String, Pattern> WORDS = Map.of(
            "openssl", Pattern.compile("--?(?:out|keyout|caserial|writerand|crl_out|tokenout|signer_out|outdir)"),
            "find", Pattern.compile("-(?:fprint0?|fprintf|fls)"),
            "ffmpeg", Pattern.compile("-(?:report|progress|vstats_file|passlogfile)"),
            "keytool", Pattern.compile("-(?:keystore|file|destkeystore)"),
            "go", Pattern.compile("--?(?:o|coverprofile|cpuprofile|memprofile|trace|outputdir)"));

    private static final Pattern COMPILER =
            Pattern.compile("(?:\\S+-)?(?:gcc|g\\+\\+|cc|c\\+\\+|clang|clang\\+\\+|tcc|gfortran|gccgo)(?:-?\\d+)*");
    private static final Set<String> WRAPPERS = Set.of("strace", "ltrace", "time");
    private static final Map<String, Spec> ALL = table();

    private record Spec(String files, String values, List<String> longFiles, List<String> longValues) {}

    private OutputOptions() {}

    private static Map<String, Spec> table() {
        Map<String, Spec> all = new HashMap<>();
        Words.rows(TABLE).forEach(cells -> {
            Spec spec = new Spec(cells.get(1), cells.get(2), Words.parts(cells.get(3)), Words.parts(cells.get(4)));
            Words.parts(cells.getFirst()).forEach(name -> all.put(name, spec));
        });
        return all;
    }

    /// Returns the words of a program in the table as options and operands.
    static Arguments arguments(String program, List<String> words) {
        Spec spec = ALL.getOrDefault(program, new Spec("", "", List.of(), List.of()));
        List<String> names = new ArrayList<>(spec.longFiles());
        names.addAll(spec.longValues());
        return Arguments.of(words, spec.files() + spec.values(), names, WRAPPERS.contains(program));
    }

    /// Returns the files that a program's options name.
    static List<String> of(String program, List<String> words) {
        List<String> found = new ArrayList<>();
        Pattern option = WORDS.get(program);
        if (option != null) {
            words(option, words, found);
        } else if (COMPILER.matcher(program).matches()) {
            compiled(words, found);
        } else if (ALL.containsKey(program)) {
            Spec spec = ALL.getOrDefault(program, new Spec("", "", List.of(), List.of()));
            boolean uv = program.equals("uv") && !words.contains("pip");
            arguments(program, words).options().stream()
                    .filter(one -> !uv)
                    .filter(one -> one.name().length() == 1
                            ? spec.files().contains(one.name())
                            : spec.longFiles().stream().anyMatch(one::is))
                    .forEach(one -> found.add(one.value()));
        }
        found.removeIf(path -> path.isEmpty() || path.equals("-") || path.startsWith("|"));
        return found;
    }

    private static void words(Pattern option, List<String> words, List<String> found) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            int equals = word.indexOf('=');
            if (option.matcher(word).matches() && i + 1 < words.size()) {
                found.add(words.get(i + 1));
            } else if (equals > 0 && option.matcher(word.substring(0, equals)).matches()) {
                found.add(word.substring(equals + 1));
            }
        }
    }

    private static void compiled(List<String> words, List<String> found) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.matches("-o|--output|-M[FD]|-dumpdir|-save-temps") && i + 1 < words.size()) {
                found.add(words.get(i + 1));
            } else if (word.startsWith("-o") || word.startsWith("--output=")) {
                found.add(word.replaceFirst("^(?:-o|--output=)", ""));
            }
        }
    }
}
