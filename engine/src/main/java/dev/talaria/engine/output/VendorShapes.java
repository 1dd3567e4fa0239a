package dev.talaria.engine.output;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the token that begins at a place of a text: a vendor's prefix, and a body of that vendor's
/// shape.
///
/// The first two characters choose the few prefixes that are compared.
final class VendorShapes {

    /// A prefix and the shape of its body. The body's expression is compiled when the prefix first
    /// occurs.
    static final class Shape {
        private final String prefix;
        private final String body;
        private final boolean random;
        private @Nullable Pattern compiled;

        private Shape(String prefix, String body) {
            this.prefix = prefix;
            this.body = expanded(body);
            this.random = body.startsWith(RANDOM);
        }

        String prefix() {
            return prefix;
        }

        private Pattern pattern() {
            var ready = compiled;
            if (ready == null) {
                ready = Pattern.compile(body);
                compiled = ready;
            }
            return ready;
        }
    }

    /// A token: its shape and its end.
    record ShapeMatch(Shape shape, int end) {}

    /// Each line has a body and its prefixes. The classes are shorter than in a regular expression:
    /// `@a` letters and digits, `@w` also `_` and `-`, `@h` hexadecimal digits, `@u` capitals and
    /// digits, `@l` small letters and digits, `@b` base64, `@s` base64 or base64url, `@g` a UUID.
    /// Where words of programs begin alike, the body must meet more conditions: `@d` a digit, or
    /// capitals as no name has them, among the first characters; `@m` capitals, small letters and
    /// digits; `@r` that the body looks random; `@n` that it is not masked; `@p` the base64 of
    /// "PRIVATE KEY".
    private static final String TABLE = """
            @a{10,}                            ghp_ gho_ ghu_ ghs_ ghr_ sk_live_ sk_test_ rk_live_ rk_test_ sk_
            @a{10,}                            hf_ r8_ npm_ dop_v1_ doo_v1_ dor_v1_ gsk_ whsec_
            @d@a{10,}                          pplx- fc-
            @w{10,}                            github_pat_ bb_live_ GR1348941 GOCSPX- tvly- npg_
            @w{10,}(?:\\.@w{1,40}){0,2}        glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent-
            @w{10,}(?:\\.@w{1,40}){0,2}        glsoat- glffct- glwt-
            @d@w{10,}                          pypi- fal_ retaindb_ hsk- ntn_ syt_ exa_ mem0_ brv_
            @n[\\w.-]{9,}[\\w-]               sk- SG.
            @w{8,}                             pk-lf-
            @d@w{20,}                          am_org_ am_ xoxd-
            [\\w=-]{20,}                       gAAAA
            @w{30,}                            AIza
            @d@w{24,}                          xai- fw- fw_ fpk_
            @w{10,}                            xoxb- xoxa- xoxp- xoxr- xoxs- xoxc- xoxo- xoxe- xoxe.xoxp- xoxe.xoxb-
            @w{10,}                            xapp-0- xapp-1- xapp-2- xapp-3- xapp-4- xapp-5- xapp-6- xapp-7- xapp-8- xapp-9-
            @u{16}                             AKIA ASIA ABIA ACCA AROA AIDA ANPA ANVA APKA ASCA
            @b{80,}={0,2}                      ABSK
            @s{40,}={0,2}                      IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz
            @d@a{16,24}                        LTAI
            @a{32}                             AKID
            @w{20,}(?:\\.@w{10,}){0,4}         ya29. 1//0
            @u{20,58}                          GOOG
            @w{38}                             6L
            @w{7}:@w{100,}                     AAAA
            @d@w{36,}                          AQVN
            @w{20,}={0,2}\\.@w{40,}={0,2}      t1.
            @d@u{17}                           SCW
            @h{24}-@h{100,}                    v1.0-
            @s{40,}(?:,fm2_@s{40,}){0,4}={0,2}     fm1_ fm2_ fm1a_ fm1r_
            @w{40,}                            fo1_
            @w{40,}                            HRKU- HRKU-AA
            @a{36,}                            nfp_ nfc_ nfo_ nfu_ nfb_
            @d@w{23,27}\\.@w{5,7}\\.@w{27,}    M N O
            @h{32}                             SK dapi shpat_ shpca_ shppa_ shpss_ key-
            @h{32}(?:-\\d)?                    dapi
            @a{32}(?:=@h{8})?                  ATBB
            @w{40,}(?:=@u{8})?                 ATATT3xFf ATCTT3xFf ATATT3
            (?:@h{16}_|local_)?@h{40}          sgp_
            @h{40,}                            rubygems_ sntryu_ sntrya_ squ_ sqp_ sqa_ bkua_ pul- sbp_ e2b_ depot_org_
            @h{40,}                            depot_project_ lin_oauth_ shippo_live_ shippo_test_ xkeysib- xsmtpsib-
            @h{40,}(?:-@a{10,})?               xkeysib- xsmtpsib- packagist_ack_ packagist_uut_ packagist_out_
            @a{32}                             cio
            @l{43}                             oy2
            @a{60}                             CLOJARS_
            [\\w=.-]{32,64}                    pscale_pw_ pscale_tkn_ pscale_oauth_
            @w{20,}                            dckr_pat_ dckr_oat_ sb_secret_
            @w{20,}                            figd_ figo_ nvapi- hvs. hvb. hvr. duffel_live_ duffel_test_ CFPAT-
            @a{59,}                            AKCp cmVmd
            @m@a{24}                           s. b. r.
            (?:@a{2,40}\\.)?@a{40,}            dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.
            @s{40,}={0,2}                      ops_eyJ glc_ fio-u- sntrys_eyJ
            @s{40,}={0,2}_@s{40,}              sntrys_eyJ
            @u{6}-(?:@u{11}|@u{6}-@u{5})(?:-@u{5}){3}      A3-
            @h{24}\\.@h{32}\\.@h{32}           st.
            [A-Z0-9]{30,}                      AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1
            [A-Z0-9]{1,20}-1[A-Z0-9]{20,}      AGE-PLUGIN-
            @w{20,}\\.@w{20,}                  ory_at_ ory_rt_ ory_ac_
            @w{20,}                            ory_st_ ory_pat_ ory_apikey_
            @a{30,}                            napi_ phx_ phc_ phs_ lin_api_ api_org_ bkct_ pnu_
            @d@a{30,}                          secret_
            @a{28}                             rnd_
            @a{38}                             4b1d
            @a{14}\\.@h{64}                    pat
            @a{4,8}_@a{40,}                    pcsk_
            @a{20,24}_@h{40}                   CCIPAT_ CCIPRJ_
            @u{25,32}                          API- NRAK-
            @w{20,24}\\.@h{24}\\.@a{20}        pat. sat.
            @g                                 api- sdk- mob- pat-na1- pat-eu1- sk-lf- xaat- xapt- an- access-production-
            @g                                 access-development- access-sandbox- public-production-
            @w{22,}                            sq0atp- sq0csp- sq0idp-
            @d@w{58,62}                        EAAA
            production\\$@l{16}\\$@h{32}       access_token$
            @a{14}                             rzp_live_ rzp_test_
            @h{32}-X                           FLWSECK-
            @h{32}-X                           FLWSECK_TEST-
            @d@a{30,}                          live_ test_
            @d@w{40}                           live_
            @w{22}                             md-
            @d@a{8}_@a{20,}                    re_
            @h{64}                             mlsn.
            @h{34}                             pk_
            @w{32}                             NRII-
            @h{19}                             NRJS-
            @a{32}_@h{8}                       glsa_
            @l{56,60}                          hcaik_01 hcaic_01 hcamk_01 hcxik_01
            @u{24}\\.@u{64}                    dt0c01. dt0s01. dt0s02. dt0s16.
            @a{10,}(?:CNTRL)?-@a{10,}          tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook-
            @w{43}                             tgp_v1_ pa- duffel_live_
            @l{40,}                            csk-
            @h{32}_@h{10}                      lsv2_pt_ lsv2_sk_
            @w{40,}                            jina_ tfp_
            @u{40,}                            rpa_
            @d@a{22}                           as- ak-
            @w{130,}                           sl. sl.u.
            @a{12}!@a{2}[\\w.]{60,}            00D
            @h{24}-@h{34}                      PMAK-
            @l{70}                             rdme_
            @a{54}                             EZAK EZTK
            @w{20,}\\.@w{20,}                  sk.eyJ pk.eyJ
            @a{60,}                            EAACEdEose0cBA EAA
            [A-Za-z0-9%]{60,}                  AAAAAAAAAAAAAAAAAAAAA
            @l{30}                             oauth:
            @w{32}                             p8e-
            @w{48}                             tk-us-
            @a{16}                             endr+ sm_pat_ sm_aat_
            @w{26}-@w{52}                      dnkey-
            @w{43}                             sha256~
            @h{12}                             FLWSECK_TEST-
            @d@a{5,30}\\.@a{4,6}\\.acc[_-]@w{10,32}\\.@s{30,120}={0,2}     sc_ ext_ scauth_ authress_
            @b{80,}={0,2}                      RWRCS RWRTY0Iy
            @h{64}::[a-z]{2,12}:@a{10,}        K10
            @l{50}-@l{25}                      SWMTKN-1-
            @a{90,}                            xprv9s21ZrQH143K xprv9 tprv8 yprv zprv
            \\d\\d\\$[./A-Za-z0-9]{53}         $2a$ $2b$ $2y$
            [./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{20,}        $apr1$ $1$
            (?:rounds=\\d{1,9}\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{40,}     $5$ $6$
            [./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{1,90}\\$[./A-Za-z0-9]{40,}       $y$ $7$
            (?:v=\\d+\\$)?m=[\\d,=a-z]{3,40}\\$@b{8,}={0,2}\\$@b{20,}={0,2}    $argon2id$ $argon2i$ $argon2d$
            \\d{1,9}\\$@a{8,}\\$@b{20,}={0,2}  pbkdf2_sha256$ pbkdf2_sha1$ pbkdf2:sha256:
            @b{20,}={0,2}                      {SHA} {SSHA} {SSHA256} {SSHA512} {SHA256} {SHA512}
            \\d{16}:@h{32}                     1/ 2/
            @r@w{16,}                          shpat_ shpca_ shppa_ shpss_ rubygems_ sntryu_ sntrys_ sntrya_ sgp_ squ_ sqp_
            @r@w{16,}                          sqa_ bkua_ bkct_ sbp_ glsa_ glc_ lsv2_pt_ lsv2_sk_ PMAK- NRAK- NRII- NRJS- NRBR-
            @r@w{16,}                          CCIPAT_ CCIPRJ_ pcsk_ phx_ phc_ lin_api_ lin_oauth_ rdme_ nfp_ HRKU-
            @r@w{16,}                          CLOJARS_ AKCp xkeysib- xsmtpsib- rpa_ jina_ tgp_v1_ csk- e2b_ pul- ops_ pnu_
            @r@w{16,}                          shippo_live_ shippo_test_ SWMTKN-1- rzp_live_ rzp_test_ FLWSECK- whsec_ tskey-
            @r@w{16,}                          pscale_pw_ pscale_tkn_ pscale_oauth_ dckr_pat_ ATBB ATATT ATCTT fo1_ fm2_ dp.pt.
            @r@w{16,}                          dp.st. dp.ct. dp.sa. dt0c01. ory_at_ AGE-SECRET-KEY- tfp_ figd_ xaat- depot_org_
            @p@b{40,}={0,2}                    LS0tLS1CRUdJTi
            """;

    private static final String RANDOM = "@r";
    private static final Shape[][] BY_START = byStart();

    private VendorShapes() {}

    private static Shape[][] byStart() {
        Shape[][] table = new Shape[1 << 14][];
        TABLE.lines().forEach(line -> {
            String[] words = line.split(" +", -1);
            Arrays.stream(words).skip(1).forEach(prefix -> add(table, new Shape(prefix, words[0])));
        });
        return table;
    }

    private static void add(Shape[][] table, Shape shape) {
        // A prefix of one letter is in every row that begins with this letter.
        for (int second = 0; second < 128; second++) {
            if (shape.prefix.length() == 1 || shape.prefix.charAt(1) == second) {
                int row = (shape.prefix.charAt(0) << 7) + second;
                var shapes = table[row] == null ? List.<Shape>of() : List.of(table[row]);
                table[row] = Stream.concat(shapes.stream(), Stream.of(shape))
                        .sorted(Comparator.comparingInt((Shape s) -> -s.prefix.length()))
                        .toArray(Shape[]::new);
            }
        }
    }

    /// Returns whether a token can begin with these two characters.
    static boolean mayBegin(char first, char second) {
        return first < 128 && second < 128 && BY_START[(first << 7) + second] != null;
    }

    /// Returns the token that begins at `at`, by the longest prefix that fits.
    static Optional<ShapeMatch> at(String text, int at) {
        for (Shape shape : BY_START[(text.charAt(at) << 7) + text.charAt(at + 1)]) {
            int from = at + shape.prefix.length();
            if (text.startsWith(shape.prefix, at)) {
                var body = shape.pattern().matcher(text).region(from, text.length());
                if (body.lookingAt()
                        && endsWord(text, body.end())
                        && (!shape.random || RandomLooking.isLikely(body.group()))) {
                    return Optional.of(new ShapeMatch(shape, body.end()));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean endsWord(String text, int end) {
        return end == text.length() || !VendorTokens.isWord(text.charAt(end));
    }

    private static String expanded(String body) {
        return body.replace(RANDOM, "")
                .replace("@n", "(?![\\w.-]{0,5}\\.\\.)")
                .replace("@m", "(?=@a{0,23}\\d)(?=@a{0,23}[A-Z])(?=@a{0,23}[a-z])")
                .replace("@d", "(?=[\\w-]{0,60}(?:\\d|[a-z][A-Z]{2}|[A-Z][a-z][A-Z]))")
                .replace("@p", "(?=@b{0,50}(?:UFJJVkFURSBLRV|BSSVZBVEUgS0V|UklWQVRFIEtFW))")
                .replace("@g", "@h{8}-@h{4}-@h{4}-@h{4}-@h{12}")
                .replace("@a", "[A-Za-z0-9]")
                .replace("@w", "[\\w-]")
                .replace("@h", "[0-9a-f]")
                .replace("@u", "[A-Z0-9]")
                .replace("@l", "[a-z0-9]")
                .replace("@b", "[A-Za-z0-9+/]")
                .replace("@s", "[\\w+/-]");
    }
}
