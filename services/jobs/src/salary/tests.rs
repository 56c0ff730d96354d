//! Pays in descriptions and structured fields, and amounts that are none.

use proptest::prelude::*;

use super::*;

mod doubts;
mod statements;

#[test]
fn numbers_become_a_line() {
    for (least, most, currency, interval, line) in [
        (Some(72_000.0), Some(84_000.0), "USD", "per-year-salary", Some("$72,000 \u{2013} $84,000 per year")),
        (Some(120_579.0), Some(120_579.0), "usd", "year", Some("$120,579 per year")),
        (Some(42.5), None, "USD", "hour", Some("$42.50 per hour")),
        (None, Some(1_234_567.0), "EUR", "", Some("\u{20ac}1,234,567")),
        (Some(90_000.0), Some(0.0), "CHF", "per-month-salary", Some("CHF 90,000 per month")),
        (Some(95_000.0), Some(110_000.0), "NZD", "", Some("NZ$95,000 \u{2013} NZ$110,000")),
        (Some(40_000.0), None, "PHP", "per-month-salary", Some("\u{20b1}40,000 per month")),
        (Some(150.0), Some(200.0), "CAD", "per-day-wage", Some("CA$150 \u{2013} CA$200 per day")),
        (Some(500_000.0), Some(700_000.0), "HUF", "month", Some("HUF 500,000 \u{2013} HUF 700,000 per month")),
        // Intervals that are none of the five, and payments of one time.
        (Some(3_000.0), Some(3_500.0), "USD", "semi-month-salary", None),
        (Some(3_000.0), Some(3_500.0), "USD", "bi-week-salary", None),
        (Some(3_000.0), Some(3_500.0), "USD", "bi-month-salary", None),
        (Some(20_000.0), None, "USD", "one-time", None),
        (Some(3_000.0), None, "USD", "2 WEEK", None),
        (Some(100_000.0), None, "USD", "1 YEAR", Some("$100,000 per year")),
        (Some(90_000.0), Some(80_000.0), "USD", "year", None),
        (Some(0.0), Some(0.0), "USD", "year", None),
        (Some(f64::NAN), Some(f64::INFINITY), "USD", "year", None),
        (Some(1.0), None, "dollars", "", None),
        (Some(1.0), None, "", "", None),
    ] {
        assert_eq!(
            format_pay(least, most, currency, interval).as_deref(),
            line,
            "{least:?} {most:?} {currency} {interval}"
        );
    }
}

/// Texts with their pay; `-` for none.
fn assert_lines(place: Option<&str>, lines: &[(&str, &str)]) {
    let wrong: Vec<String> = lines
        .iter()
        .filter_map(|(text, expected)| {
            let found = find_pay(text, place, 2026).unwrap_or_else(|| "-".to_owned()).replace('\u{2013}', "-");
            (found != *expected).then(|| format!("{text}\n  shown: {found}\n  right: {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pay_in_dollars_of_the_united_states_is_found() {
    assert_lines(
        None,
        &[
            ("The salary range is $85,000 - $100,000 annually.", "$85,000 - $100,000 per year"),
            ("Compensation: $85,000.00 \u{2013} $100,000.00", "$85,000 - $100,000"),
            ("Pay is $120k to $140k, with benefits", "$120,000 - $140,000"),
            ("base salary $120-140k", "$120,000 - $140,000"),
            ("Salary: $85K\u{2013}$100K", "$85,000 - $100,000"),
            ("Hourly rate: $27.50", "$27.50 per hour"),
            ("pay of $38 per hour for six weeks", "$38 per hour"),
            ("Ten weeks, paid $25 per hour.", "$25 per hour"),
            ("The pay range is $38.50/hr to $45.75/hr", "$38.50 - $45.75 per hour"),
            ("Pay: $38.50 per hour - $45.75 per hour", "$38.50 - $45.75 per hour"),
            ("Pay: $30 an hour to $35 an hour, DOE", "$30 - $35 per hour"),
            ("Pay: $30 - 35 / hour", "$30 - $35 per hour"),
            ("Wage: $22.00-$26.50 hourly", "$22 - $26.50 per hour"),
            ("Salary: US$85,000 - US$100,000 per year", "$85,000 - $100,000 per year"),
            ("Salary: US $85,000 - US $100,000 per year", "$85,000 - $100,000 per year"),
            ("Salary: U.S. $85,000 a year", "$85,000 per year"),
            ("Salary: USD 85,000 - 100,000", "$85,000 - $100,000"),
            ("Salary: USD 85,000 - USD 100,000 p.a.", "$85,000 - $100,000 per year"),
            ("Salary: 85,000 - 100,000 USD per year", "$85,000 - $100,000 per year"),
            ("Salary: $ 85,000", "$85,000"),
            ("Salary range: $85,000 USD \u{2014} $100,000 USD", "$85,000 - $100,000"),
            ("Annual Salary:\n$120,000\u{2014}$150,000 USD", "$120,000 - $150,000 per year"),
            ("Compensation\n\nNew York:\n$120,000 - $150,000", "$120,000 - $150,000"),
            (
                "The salary range for this position depends on where you work. New York: $85,000 - $100,000.",
                "$85,000 - $100,000",
            ),
            (
                "The base salary is between $85,000 and $100,000 per year, plus a $10,000 signing bonus.",
                "$85,000 - $100,000 per year",
            ),
            ("Salary: $85,000 (plus bonus and 401(k) match)", "$85,000"),
            ("Salary: $85,000 - $100,000, bonus, 401(k) match, health insurance", "$85,000 - $100,000"),
            ("We offer $85,000 - $100,000 base salary", "$85,000 - $100,000"),
            ("Monthly stipend: $4,000 for ten weeks", "$4,000 per month"),
            ("Weekly pay of $3,500 - $4,300", "$3,500 - $4,300 per week"),
            ("This position pays $72,500.", "$72,500"),
            ("salary \u{e9}$85,000\u{e9}", "$85,000"),
            ("Los Angeles, CA $150,000 salary", "$150,000"),
            ("A $85,000 salary is offered.", "$85,000"),
            ("Salary: $85,000+ per year", "$85,000 per year"),
            ("Starting salary is $85,000, rising to $95,000 after one year.", "$85,000"),
            ("Salary: $85,000 - 2 years of experience", "$85,000"),
            ("Pay: $25 per hour - 40 hours per week", "$25 per hour"),
            ("Compensation is based on education and experience: $85,000 - $100,000", "$85,000 - $100,000"),
            ("Salary:$85,000\u{a0}\u{2013}\u{a0}$100,000/yr.", "$85,000 - $100,000 per year"),
            ("The salary is approx. $85,000.", "$85,000"),
            ("You manage a budget of $500,000. The salary is $95,000.", "$95,000"),
            ("A $20,000 sign-on bonus! Salary: $95,000.", "$95,000"),
            ("Salaries in prior years averaged $60,000. This year the salary is $75,000.", "$75,000"),
            ("Salary: $1,250,000 per year", "$1,250,000 per year"),
            ("Salary Range: $100,000.00 To $130,000.00 Annually", "$100,000 - $130,000 per year"),
            ("Salary $85,000-$100,000/annually", "$85,000 - $100,000 per year"),
            (
                "The pay range for this role is:\n150,000 - 200,000 USD per year (Remote - United States)",
                "$150,000 - $200,000 per year",
            ),
            ("Salary: 1,500 - 2,000 USD/month", "$1,500 - $2,000 per month"),
            ("Salary range (USD): 100,000 - 120,000", "$100,000 - $120,000"),
            ("The fellowship includes a $55,000 annual stipend.", "$55,000 per year"),
            ("Summer associates are paid $4,327 per week.", "$4,327 per week"),
            ("This grant-funded position pays $60,000.", "$60,000"),
            ("What we pay\nBase salary: $58,000\nBonus: $10,000", "$58,000"),
            ("Signing bonus of $20,000; salary $90,000", "$90,000"),
            ("Sign-on bonus of $20,000, base salary of $90,000", "$90,000"),
            ("Salary: $95K base + bonus", "$95,000"),
            ("Salary: $85,000\n- $20,000 signing bonus", "$85,000"),
            (
                "Job Type: Full-time Pay: $70,000.00 - $90,000.00 per year Benefits: 401(k)",
                "$70,000 - $90,000 per year",
            ),
            ("Compensation: $85,000 (base), bonus up to $20,000", "$85,000"),
            ("Salary: $85,000-$95,000/yr + bonus", "$85,000 - $95,000 per year"),
            ("Colorado pay range: $30.00 - $40.00 hourly", "$30 - $40 per hour"),
            ("The 2027 salary range is $95,000 to $105,000.", "$95,000 - $105,000"),
            ("Tax Attorney salary: $155,000", "$155,000"),
            ("Pay for this Claims Counsel role: $120,000 - $140,000", "$120,000 - $140,000"),
            ("Salary for the Family Law Attorney: $80,000", "$80,000"),
            ("Pay range: $25/hour \u{2013} 30/hour", "$25 - $30 per hour"),
            ("Pay range: from $25 per hour up to $30 per hour", "$25 - $30 per hour"),
            ("Salary range: $85,000 USD/year - $100,000 USD/year", "$85,000 - $100,000 per year"),
            ("The previous salary for this role was $60,000; the current salary is $70,000.", "$70,000"),
            ("$150,000 - $180,000 a year", "$150,000 - $180,000 per year"),
        ],
    );
}

#[test]
fn the_currency_is_the_one_that_the_text_names() {
    assert_lines(
        None,
        &[
            ("Salary: CA$85,000 - CA$100,000 per year.", "CA$85,000 - CA$100,000 per year"),
            ("Compensation is C$85,000 to C$100,000 annually", "CA$85,000 - CA$100,000 per year"),
            ("Salary range A$120,000 - A$140,000 per year plus superannuation", "A$120,000 - A$140,000 per year"),
            ("Salary: $120,000 - $140,000 AUD per year", "A$120,000 - A$140,000 per year"),
            ("Salary: $120,000 - $140,000 per year (AUD)", "A$120,000 - A$140,000 per year"),
            ("Salary: AU$120k-AU$140k", "A$120,000 - A$140,000"),
            ("Salary: AUD 120,000", "A$120,000"),
            ("Salary: AUD $120,000 to AUD $140,000", "A$120,000 - A$140,000"),
            ("Monthly pay of S$4,500 - S$6,000 per month", "S$4,500 - S$6,000 per month"),
            ("Salary: SGD 4,500 - 6,000 monthly", "S$4,500 - S$6,000 per month"),
            ("Salary: SGD4,500 - SGD6,000", "S$4,500 - S$6,000"),
            ("Salary range: $85,000/yr - $100,000/yr CAD", "CA$85,000 - CA$100,000 per year"),
            ("Pay: C$45.50 per hour - C$55.25 per hour", "CA$45.50 - CA$55.25 per hour"),
            ("The salary is AU$95,000 to AU$105,000 plus 11% superannuation", "A$95,000 - A$105,000"),
            ("Remuneration: NZ$95,000\u{2013}NZ$105,000 pa", "NZ$95,000 - NZ$105,000 per year"),
            ("Pay (monthly): HK$25,000 to HK$35,000", "HK$25,000 - HK$35,000 per month"),
            ("Daily rate: P700", "\u{20b1}700 per day"),
            ("Salary: NZ$95,000 per year", "NZ$95,000 per year"),
            ("Salary: HK$30,000 - HK$40,000 per month", "HK$30,000 - HK$40,000 per month"),
            ("Salary: HK$30,000-40,000/month", "HK$30,000 - HK$40,000 per month"),
            ("Salary: MX$40,000 per month", "MX$40,000 per month"),
            ("Salary: NT$60,000 per month", "NT$60,000 per month"),
            ("Salary: R$ 8.000,00 - R$ 10.000,00 per month", "R$8,000 - R$10,000 per month"),
            ("Salary: $85,000 Canadian dollars", "CA$85,000"),
            ("Salary (in Canadian dollars): $85,000 - $100,000", "CA$85,000 - CA$100,000"),
            ("Salary: $85,000 - $100,000. All amounts are in CAD.", "CA$85,000 - CA$100,000"),
            ("Salary: $85,000 USD. Our Toronto office pays in CAD.", "$85,000"),
            ("Basic Salary: Php 22,000 - Php 28,000 + allowance", "\u{20b1}22,000 - \u{20b1}28,000"),
            ("Compensation: PHP40,000.00 gross per month", "\u{20b1}40,000 per month"),
            ("Allowance: \u{20b1}10,000 per month; salary \u{20b1}35,000", "\u{20b1}35,000"),
            ("Salary: \u{20b1}40k-60k", "\u{20b1}40,000 - \u{20b1}60,000"),
            ("Salary: 45.000\u{20ac} - 55.000\u{20ac}", "\u{20ac}45,000 - \u{20ac}55,000"),
            ("Salary: \u{20ac}60k - \u{20ac}70k + 10% bonus", "\u{20ac}60,000 - \u{20ac}70,000"),
            ("Compensation: 25K-30K PHP", "\u{20b1}25,000 - \u{20b1}30,000"),
            ("Salary: Php 25,000 - Php 30,000 monthly + 13th month pay", "\u{20b1}25,000 - \u{20b1}30,000 per month"),
            ("Salary package: PHP 600,000 - 900,000 per annum", "\u{20b1}600,000 - \u{20b1}900,000 per year"),
            ("Salary: \u{a3}30-35k", "\u{a3}30,000 - \u{a3}35,000"),
            ("Salary: NZ $95,000", "NZ$95,000"),
            ("Salary: $95,000 to $105,000 (CDN)", "CA$95,000 - CA$105,000"),
            ("Salary: CAD$85,000 - CAD$95,000", "CA$85,000 - CA$95,000"),
            ("Salary: $85,000 CAD - $95,000 CAD", "CA$85,000 - CA$95,000"),
            ("Salary: HKD 30,000 per month", "HK$30,000 per month"),
            ("Salary: S$5,000/mth", "S$5,000 per month"),
            ("Salary: \u{20ac}45.000 - \u{20ac}55.000 per year", "\u{20ac}45,000 - \u{20ac}55,000 per year"),
            ("Salary: \u{20ac}45,000\u{2013}55,000 p.a.", "\u{20ac}45,000 - \u{20ac}55,000 per year"),
            ("Salary: EUR 45 000 per year", "\u{20ac}45,000 per year"),
            ("Salary: 45,000 - 55,000 EUR", "\u{20ac}45,000 - \u{20ac}55,000"),
            ("Salary: \u{a3}38,000 - \u{a3}42,000 per annum", "\u{a3}38,000 - \u{a3}42,000 per year"),
            ("Salary: \u{a3}38k", "\u{a3}38,000"),
            ("Salary: CHF 120'000 per year", "CHF 120,000 per year"),
            ("Salary: PHP 40,000", "\u{20b1}40,000"),
            ("Salary: PHP 40,000 - 60,000 per month", "\u{20b1}40,000 - \u{20b1}60,000 per month"),
            ("\u{20b1}40,000 - \u{20b1}60,000 per month", "\u{20b1}40,000 - \u{20b1}60,000 per month"),
            ("Monthly salary: \u{20b1}40,000 - \u{20b1}60,000", "\u{20b1}40,000 - \u{20b1}60,000 per month"),
            ("Salary: Php 25,000.00/month", "\u{20b1}25,000 per month"),
            ("Salary: Php35k - Php45k", "\u{20b1}35,000 - \u{20b1}45,000"),
            ("Salary: P40,000 - P60,000 per month", "\u{20b1}40,000 - \u{20b1}60,000 per month"),
            ("Sahod: \u{20b1}695 per day", "\u{20b1}695 per day"),
            ("Salary: 40,000 Philippine pesos a month", "\u{20b1}40,000 per month"),
            ("Manila office. Salary: 40,000 pesos a month", "\u{20b1}40,000 per month"),
            ("Salary: 40,000 pesos a month", "-"),
            ("Salary (PHP): 40,000 - 60,000", "\u{20b1}40,000 - \u{20b1}60,000"),
            ("Salary: \u{20b9}12,00,000 per annum", "\u{20b9}1,200,000 per year"),
            ("Salary: $85,000 - $100,000 Canadian per year", "CA$85,000 - CA$100,000 per year"),
            ("Salary: $85,000 in Canadian funds", "CA$85,000"),
            ("Salary: $120,000 Australian", "A$120,000"),
            ("Salary: $95,000 NZ dollars", "NZ$95,000"),
            ("Salary: $30,000 HK dollars per month", "HK$30,000 per month"),
            ("Salary: $120,000 AU dollars", "A$120,000"),
            ("Salary: $85,000 can be negotiated", "$85,000"),
            ("Pay: $25 per hour and you can start now", "$25 per hour"),
            ("Salary: $85,000 for Canadian citizens", "$85,000"),
            ("SALARY FOR ALL POSITIONS: $85,000", "$85,000"),
            ("Salary: $85,000 in Singapore, remote", "$85,000"),
            ("Salary: \u{20b1}40,000 pesos per month", "\u{20b1}40,000 per month"),
            // In doubt there is none.
            ("Salary: $60,000 BBD per year", "-"),
            ("Salary: $90,000 FJD", "-"),
            ("Salary: $2,400,000 COP per year", "-"),
            ("Salary: JMD $120,000", "-"),
            ("Salary: JMD 120,000", "-"),
            ("Salary (TTD): $150,000", "-"),
            ("Salary: $120,000 Jamaican dollars", "-"),
            ("Salary: $120,000 - $150,000 per year in Barbados dollars", "-"),
            ("Salary: Canadian $85,000", "-"),
            ("Salary: $18,000 pesos per month", "-"),
            ("Sueldo: $18,000 pesos mensuales", "-"),
            ("Salary: KES 120,000 per month", "-"),
            ("Salary: $85,000 or C$115,000", "CA$115,000"),
            ("Salary: CA $85,000 - CA $95,000", "-"),
            ("Salary: CA$85,000 USD", "-"),
            ("Salary: X$85,000 - X$100,000", "-"),
            ("Salary: \u{a5}6,000,000 per year", "-"),
            ("Salary: 85,000 - 100,000 per year", "-"),
            ("Salary: $85,000 per year plus superannuation", "-"),
            ("Salary: $85,00 per year", "-"),
        ],
    );
    assert_lines(
        Some("Toronto, ON"),
        &[("Salary: $85,000", "-"), ("Salary: $85,000 USD", "$85,000"), ("Salary: C$85,000", "CA$85,000")],
    );
    for place in ["Mississauga, ON", "London, Ontario", "Halifax, NS (hybrid)", "Victoria, BC, Canada", "Hobart"] {
        assert_lines(Some(place), &[("Salary: $85,000", "-")]);
    }
    for place in ["Ontario, CA", "Portland, OR", "Remote, on site in Boston", "London, KY", "Vancouver, WA"] {
        assert_lines(Some(place), &[("Salary: $85,000", "$85,000")]);
    }
    assert_lines(Some("Sydney, Australia"), &[("Salary: $120,000 - $140,000", "-")]);
    assert_lines(Some("Remote - US or Canada"), &[("Salary: $120,000 - $140,000", "-")]);
    assert_lines(Some("Albuquerque, New Mexico"), &[("Salary: $85,000", "$85,000")]);
    assert_lines(
        Some("Makati, Philippines"),
        &[("Salary: 40,000 pesos", "\u{20b1}40,000"), ("Pay: $9 per hour", "$9 per hour")],
    );
}

#[test]
fn other_amounts_are_no_pay() {
    let texts = [
        "Pay range: $85,000 (entry) - $100,000 (senior)",
        "Salary: $85,000 (min) to $100,000 (max)",
        "Salary: $70,000 DOE - $90,000 DOE",
        "Salary: $85,000 -- up to $100,000",
        "Salary: $85,000 \u{2192} $100,000",
        "Salary: $85,000/$100,000",
        "Salary: $85,000 - $1,000,000",
        "Salary: $85,000 minimum to $100,000 maximum",
        "Competitive salary. Judicial clerkship: $50,000",
        "Competitive salary. On joining: $20,000",
        "Great pay! Welcome package: $20,000",
        "Competitive salary, $1,000,000 umbrella policy",
        "Compensation: SG 25. RATA: P15,000 per month",
        "Salary: negotiable. Honorarium: P15,000 per month",
        "Jurors are paid $50 per day.",
        "We pay arbitrators $400 per hour.",
        "Oversee total compensation spend of $1,200,000.",
        "BigLaw salaries of $225,000 are not what we offer.",
        "The predecessor's salary: $140,000. Yours is negotiable.",
        "2025 salary: $80,000.",
        "Competitive salary plus a $20,000 sign-on bonus.",
        "Salary commensurate with a portable book of business of $750,000",
        "Competitive base with a quota of $500,000 per year",
        "Salary is competitive for originations of at least $400,000",
        "Competitive salary; estates under $500,000",
        "Salary competitive. You handle cases up to $300,000",
        "Competitive salary, sign-on bonus: $20,000.",
        "Competitive salary and a signing bonus of $20,000",
        "Competitive salary plus $20,000 when you start",
        "Salary commensurate with experience, and up to $25,000 loan repayment assistance.",
        "Salary commensurate with experience. LRAP: $25,000.",
        "Salary competitive; 401(k) match up to $19,500 per year",
        "Competitive pay. 401(k) with matching contributions of $19,500 per year",
        "You will manage pay-for-performance budget of $500,000",
        "Salaries in prior years averaged $60,000.",
        "Last year the salary was $60,000.",
        "Previously this position paid $60,000",
        "Our average salary is $85,000",
        "Hourly rate billed to clients is $450 per hour. Salary undisclosed.",
        "Our billing rate is $450 per hour",
        "Billed hourly rate: $450 per hour",
        "Clients pay $450 per hour",
        "We charge an hourly rate of $450",
        "Competitive pay and a $15,000 relocation package",
        "Relocation pay of $15,000",
        "Compensation: competitive. Relocation: up to $15,000",
        "Salary is competitive and we pay for relocation ($15,000 for families)",
        "Competitive salary. Annual bonus of $15,000 - $30,000 per year",
        "Wellness stipend of $1,200 per month",
        "A monthly stipend of $600 for home internet",
        "Learning stipend: $15,000 per year",
        "We pay for bar dues and $20,000 of health insurance premiums",
        "Salary plus $50,000 life insurance",
        "Salary and benefits, including $100,000 of life insurance",
        "Compensation includes malpractice insurance of $1,000,000",
        "Competitive salary. Our clients have revenue of $2,500,000",
        "The team pays attention to deals of $50,000 to $500,000",
        "Workers' compensation claims of $250,000",
        "We won $250,000 in unpaid wages",
        "Recovered wages: $250,000",
        "Our corporate clients won $250,000",
        "payments of $250,000 a year",
        "We have won $5 million in back pay. Our salaries: $5 million",
        "pays dues of $250",
        "raised $80,000,000 in a series B",
        "salary: competitive ($$$)",
        "salary $",
        "Employers who violate wage laws pay fines of $25,000",
        "Penalty rate: $20,000 per day",
        "Caseload value: $500,000; salary negotiable",
        "Salary negotiable. Average deal size $500,000",
        "Salary: up to $120,000 per year",
        "Salary of a maximum of $120,000",
        "The salary threshold for exempt employees is $58,656 per year",
        "We represent workers who are paid less than $30,000 a year",
        "Tuition reimbursement of $20,000 per year; competitive salary",
        "Pay: $2,000 biweekly",
        "Pay: $60,000 every two years",
        "Flat pay rate of $450 per motion",
        "Salary grade 15. Fee: $20,000",
        "Equity compensation of $50,000 per year",
        "Commission rate up to $100,000",
        "OTE compensation of $200,000",
        "Salary: $5",
        "Salary: $85,000 per hour",
        "Salary: $1.2M",
        "Salary: 401(k)",
        "Salary: PHP 8 and Laravel experience",
        "Overtime pay of $15,000 per year is usual",
        "Referral program pays $20,000 per referral",
        "Scholarship: Php 40,000 per year. Salary competitive.",
        "The firm pays up to $40,000 toward student loans",
        "Competitive compensation\n- $20,000 sign-on\n- $30,000 retention",
        "Compensation\nBonus: $20,000 - $30,000 per year",
        "The grant pays for projects of $85,000",
        "Interest rate of $20,000",
        "Tenants pay rent of $18,000 a year",
        "You negotiate rates of $300 per hour with outside counsel",
        "Outside counsel paid $300 per hour",
        "Experts are paid $300 per hour",
        "You collect wages of $250,000 for workers",
        "Employers must pay $250,000 in back wages",
        "Advise on the minimum wage of $15 per hour",
        "Salaries for the class of 2019 ranged from $50,000 to $60,000",
        "In 2023 associates earned $215,000 in salary",
        "The stipend covers relocation ($20,000)",
        "Competitive salary ($20,000 signing bonus)",
        "Salary: competitive. $30,000 for relocation",
        "Salary: TBD. Security deposit $20,000",
        "Budget for salaries: $500,000",
        "We pay filing fees of $40,000 a year",
        "You handle salary disputes worth $200,000 per year",
        "Compensation: $2,000 per case",
        "Range: $100,000 - $120,000",
        "You oversee payroll of $900,000",
        "Salary commensurate with experience. The firm's hourly rates range from $300 to $600 per hour.",
        "Past salaries: $60,000 - $70,000",
        "Salary history: $60,000 - $70,000",
        "Our 2019 salaries: $60,000",
        "In 2022 we paid $60,000 per year",
        "Prior to 2024 the salary was $60,000",
        "According to a survey the salary is $59,200",
        "Blended hourly rate: $450",
        "Standard hourly rate for partners: $900 per hour",
        "Associates' billing rates are $300 to $500 per hour",
        "Donors pay $20,000",
        "Employers pay $20,000",
        "Compensation of $25,000 to each victim",
        "Pay for performance, $20,000",
        "Attorneys bill clients $300 per hour, pay is competitive",
        "Competitive salary with $18,000 in annual benefits.",
        "Salary DOE. $50,000 life insurance policy paid by the firm.",
        "Salary is paid from a $500,000 grant",
        "Salary: TBA (budget $500,000)",
        "Annual stipend for professional development: $20,000",
        "The firm pays a stipend of $15,000 for bar study.",
        "We are paid $30,000 per month by our insurers",
        "Bonus for each attorney: $20,000; salary competitive",
        "Pay: competitive | Bonus: $25,000",
        "Employee Referral Program: $20,000. Salary: competitive.",
        "PHP 8 experience; the salary is 85,000",
    ];
    let lines: Vec<(&str, &str)> = texts.iter().map(|text| (*text, "-")).collect();
    assert_lines(None, &lines);
}

#[test]
fn a_summary_of_a_source_is_a_pay_without_equity() {
    for (summary, line) in [
        ("$190K - $230K", Some("$190,000 - $230,000")),
        ("$190K \u{2013} $230K \u{2022} Offers Equity", Some("$190,000 - $230,000")),
        ("$45 \u{2013} $55 per hour", Some("$45 - $55 per hour")),
        ("CA$72K \u{2013} CA$90K \u{2022} Offers Bonus", Some("CA$72,000 - CA$90,000")),
        ("\u{a3}60K \u{2013} \u{a3}70K", Some("\u{a3}60,000 - \u{a3}70,000")),
        ("$20K bonus", None),
        ("Offers Equity", None),
        ("Multiple Ranges", None),
        ("", None),
    ] {
        let found = read_summary(summary).map(|line| line.replace('\u{2013}', "-"));
        assert_eq!(found.as_deref(), line, "{summary}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_and_a_pay_begins_with_its_currency(text in "(\\PC|[$€₱£A-Z0-9,. –/k-]|salary |pay |per hour|\n){0,60}") {
        if let Some(line) = find_pay(&text, None, 2026) {
            prop_assert!(currency::CURRENCIES.iter().any(|currency| line.starts_with(currency.sign)), "{line}");
        }
    }
}
