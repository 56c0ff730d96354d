//! The words that the statement of a pay may have. Any other word in it leaves the amount in doubt.

use std::{collections::HashSet, sync::LazyLock};

/// Words for a pay.
pub const PAY: &str =
    "salary salaries compensation pay pays paid paying wage wages stipend remuneration hourly rate rates earn base
    sahod sweldo suweldo sueldo";
/// People who hold a position.
pub const PEOPLE: &str = "attorney attorneys lawyer lawyers counsel associate associates paralegal paralegals clerk
    clerks fellow fellows intern interns extern externs student students trainee trainees solicitor solicitors
    barrister barristers assistant assistants officer secretary adviser advisor analyst specialist coordinator manager
    director advocate advocates investigator defender prosecutor candidate candidates applicant applicants graduate
    graduates hire hires";
/// Nouns for a position. Behind 'this', words before one of them are a part of its title: 'this Claims Counsel role'.
pub const POSITIONS: &str =
    "position positions role roles job jobs opportunity opening vacancy post posting internship fellowship
    clerkship externship";
/// The side that pays.
pub const EMPLOYERS: &str = "we our firm company organization organisation office agency employer";
/// Words of a title, before one of [`PEOPLE`] or [`POSITIONS`]: 'Tax Attorney', 'first-year associates'.
pub const TITLES: &str = "staff senior junior lead managing deputy chief general principal entry mid lateral
    experienced first second third fourth fifth year level summer law legal tax claims family litigation corporate
    commercial immigration criminal civil employment labor labour ip patent trademark real estate estates trusts
    probate environmental bankruptcy privacy compliance contracts public interest policy trial appellate assistant
    associate attorney district city county state federal school recent successful exempt non newly qualified";
/// Words around a pay that add no other meaning.
const OTHERS: &str = "a an the this these it its is are be will would of to from for in at on that your you youll what
    who where how or and range ranges ranging between band scale grade step level levels tier zone package offer
    offering offered start starts starting begin begins beginning current currently expected anticipated estimated
    target targeted advertised listed displayed reflects hiring budgeted approved represents end annualized good faith
    estimate employment time approximately approx about around roughly circa actual individual competitive attractive
    generous negotiable depend depends depending determined dependent based commensurate with experience education
    qualifications skills work by several factors may vary varies annual annually yearly year years month months
    monthly week weeks weekly day daily hour hours per annum pa gross net basic total cash full part type types
    contract temporary permanent doe all new first second third entry summer usd qualified newly location locations
    information details transparency equal dollars dollar funds currency peso pesos euros pounds canadian australian
    american philippine mexican citizens one two three four five six seven eight nine ten eleven twelve negotiated
    opening title equivalent ang ay kada bawat buwan buwanang mensual mensuales sg gs jg projected typical standard
    local national selected only anticipate anticipates expect expects plan plans basis follows following below amount
    most across senior junior stated possible potential reasonable reasonably generally typically normally intended
    planned initial guaranteed fixed regular normal overall applicable set specific different various multiple variety
    number such other skill certifications seniority geographic geography please note effective commencing term fte as
    listing both either also each every agreed fall within union hired targeting estimates believe believes salaried
    detailed stipulated prospective state";
/// Verbs of giving. What follows one is no pay unless a word for a pay names it.
pub const GIVING: &str = "offers provide provides include includes receive receives has";
/// Places that a pay is stated for, beside the place of the posting.
pub const PLACES: &str = "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois
    indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska
    nevada new hampshire jersey mexico york carolina dakota north south west east ohio oklahoma oregon pennsylvania rhode island
    tennessee texas utah vermont virginia washington wisconsin wyoming columbia dc nyc city metro area bay
    al ak az ar ca co ct de fl ga hi id il ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok pa ri sc sd tn tx ut vt
    va wa wv wi wy us usa u s united states remote hybrid onsite
    boston chicago san francisco los angeles seattle denver austin dallas houston atlanta miami philadelphia diego jose portland
    sacramento oakland phoenix minneapolis detroit baltimore orange palo alto
    canada toronto vancouver ontario montreal calgary british australia sydney melbourne brisbane zealand auckland singapore hong
    kong uk england scotland wales london manchester birmingham leeds ireland dublin europe eu
    philippines manila makati quezon taguig bgc ortigas pasig cebu davao ph";
/// Words that end the phrase behind an amount.
pub const ENDS: &str = "plus pro and with or as depending based commensurate including inclusive excluding exclusive
    without before doe benefits exempt non dependent according where but";

/// Whether a word is one of a list.
pub fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// Whether a word may stand anywhere in the statement of a pay.
pub fn is_plain(word: &str) -> bool {
    static PLAIN: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        [PAY, PEOPLE, POSITIONS, EMPLOYERS, OTHERS, GIVING, PLACES]
            .iter()
            .flat_map(|list| list.split_ascii_whitespace())
            .collect()
    });
    PLAIN.contains(word)
}
