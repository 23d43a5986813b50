//! Words of generated rows. Some need escaping in HTML and some aren't ASCII, so that errors of a stack show on ordinary
//! pages.

/// Countries: the name, the value of one unit of the currency in millionths of a dollar, and the currency.
pub const COUNTRIES: [(&str, i64, &str); 92] = [
    ("United States", 1000000, "Dollar"),
    ("United Kingdom", 1625461, "Pound"),
    ("Canada", 671200, "Dollar"),
    ("Germany", 510000, "Mark"),
    ("France", 152449, "Franc"),
    ("Japan", 8600, "Yen"),
    ("Netherlands", 453780, "Guilder"),
    ("Italy", 516, "Lira"),
    ("Switzerland", 624000, "Franc"),
    ("Australia", 646100, "Dollar"),
    ("Algeria", 15100, "Dinar"),
    ("Argentina", 1000000, "Peso"),
    ("Armenia", 1900, "Dram"),
    ("Austria", 72673, "Schilling"),
    ("Azerbaijan", 235, "Manat"),
    ("Bahamas", 1000000, "Dollar"),
    ("Bahrain", 2652520, "Dinar"),
    ("Bangladesh", 20600, "Taka"),
    ("Barbados", 500000, "Dollar"),
    ("Belarus", 4, "Rouble"),
    ("Belgium", 24789, "Franc"),
    ("Bermuda", 1000000, "Dollar"),
    ("Bolivia", 172000, "Boliviano"),
    ("Botswana", 218000, "Pula"),
    ("Brazil", 560000, "Real"),
    ("Bulgaria", 511000, "Lev"),
    ("Cayman Islands", 1219512, "Dollar"),
    ("Chad", 1524, "Franc"),
    ("Chile", 1930, "Peso"),
    ("China", 120800, "Yuan"),
    ("Christmas Island", 646100, "Dollar"),
    ("Colombia", 530, "Peso"),
    ("Croatia", 131000, "Kuna"),
    ("Cuba", 43478, "Peso"),
    ("Cyprus", 1730000, "Pound"),
    ("Czech Republic", 27700, "Koruna"),
    ("Denmark", 134500, "Krone"),
    ("Dominican Republic", 62500, "Peso"),
    ("Eastern Caribbean", 370370, "Dollar"),
    ("Ecuador", 40, "Sucre"),
    ("Egypt", 293000, "Pound"),
    ("El Salvador", 114285, "Colón"),
    ("Estonia", 63900, "Kroon"),
    ("Ethiopia", 123000, "Birr"),
    ("Falkland Islands", 1625461, "Pound"),
    ("Faroe Islands", 134500, "Króna"),
    ("Fiji", 508000, "Dollar"),
    ("Finland", 168188, "Markka"),
    ("Gabon", 1524, "Franc"),
    ("Gibraltar", 1625461, "Pound"),
    ("Greece", 3053, "Drachma"),
    ("Guam", 1000000, "Dollar"),
    ("Hong Kong", 128600, "Dollar"),
    ("Hungary", 3950, "Forint"),
    ("Iceland", 13800, "Króna"),
    ("India", 23000, "Rupee"),
    ("Indonesia", 140, "Rupiah"),
    ("Iran", 571, "Rial"),
    ("Iraq", 3200000, "Dinar"),
    ("Ireland", 1269738, "Punt"),
    ("Israel", 241000, "Shekel"),
    ("Jamaica", 24700, "Dollar"),
    ("Jordan", 1408450, "Dinar"),
    ("Kazakhstan", 7200, "Tenge"),
    ("Kuwait", 3278688, "Dinar"),
    ("Lebanon", 663, "Pound"),
    ("Luxembourg", 24789, "Franc"),
    ("Malaysia", 263157, "Ringgit"),
    ("Mauritius", 39300, "Rupee"),
    ("Mexico", 106000, "Peso"),
    ("New Zealand", 512000, "Dollar"),
    ("Norway", 125000, "Krone"),
    ("Pakistan", 19300, "Rupee"),
    ("Philippines", 24800, "Peso"),
    ("Poland", 241000, "Złoty"),
    ("Portugal", 4988, "Escudo"),
    ("Romania", 55, "Leu"),
    ("Russia", 36500, "Rouble"),
    ("Saudi Arabia", 266666, "Riyal"),
    ("Singapore", 600000, "Dollar"),
    ("Slovakia", 23500, "Koruna"),
    ("South Africa", 163000, "Rand"),
    ("South Korea", 880, "Won"),
    ("Spain", 6010, "Peseta"),
    ("Sudan", 390, "Pound"),
    ("Sweden", 117600, "Krona"),
    ("Taiwan", 31800, "Dollar"),
    ("Thailand", 26300, "Baht"),
    ("Trinidad & Tobago", 160000, "Dollar"),
    ("Turkey", 2, "Lira"),
    ("Venezuela", 1540, "Bolívar"),
    ("Zambia", 355, "Kwacha"),
];

pub const BACKINGS: [&str; 5] = ["HARDBACK", "PAPERBACK", "USED", "AUDIO", "LIMITED-EDITION"];

/// Ways of shipping, and their days.
pub const SHIPPING: [(&str, i64); 6] =
    [("AIR", 1), ("UPS", 3), ("FEDEX", 2), ("SHIP", 7), ("COURIER", 0), ("MAIL", 5)];

pub const CARDS: [&str; 5] = ["VISA", "MASTERCARD", "DISCOVER", "AMEX", "DINERS"];

pub const STATUSES: [&str; 4] = ["PROCESSING", "SHIPPED", "PENDING", "DENIED"];

/// Adjectives of titles, after their names.
pub const ADJECTIVES: [&str; 16] = [
    "Brief",
    "Careful",
    "Complete",
    "Curious",
    "Forgotten",
    "Golden",
    "Illustrated",
    "Little",
    "Lost",
    "Modern",
    "Naïve",
    "Practical",
    "Quiet",
    "Secret",
    "Traveller's",
    "Uncommon",
];

/// Nouns of titles.
pub const NOUNS: [&str; 24] = [
    "Almanac",
    "Atlas",
    "Baker & Co.",
    "Café",
    "Compass",
    "Cookbook",
    "Dictionary",
    "Encyclopædia",
    "Garden",
    "Guide",
    "Handbook",
    "History",
    "Island",
    "Journey",
    "Letters",
    "Library",
    "Lighthouse",
    "Museum",
    "Mystery",
    "Orchard",
    "Reader's Companion",
    "Theory of <Everything>",
    "Voyage",
    "Winter",
];

pub const PUBLISHERS: [&str; 12] = [
    "Éditions du Vieux Pont",
    "Fisher & Daughters",
    "Gutenberg's Heirs",
    "Harbour Street Press",
    "Kestrel University Press",
    "Lantern & Quill",
    "Merchant House Books",
    "Północ Wydawnictwo",
    "Seven Bridges Publishing",
    "The Paper Mill",
    "Verlag Möwe & Söhne",
    "Wandering Scholar Press",
];

pub const STREETS: [&str; 16] = [
    "Acacia Avenue",
    "Baker Street",
    "Canal Street",
    "Church Lane",
    "Elm Street",
    "Fleet Street",
    "High Street",
    "King's Road",
    "Lindenstraße",
    "Mill Lane",
    "Ocean Drive",
    "Park Avenue",
    "Queen Street",
    "Rue de l'Église",
    "Station Road",
    "Victoria Street",
];

/// The second line of addresses.
pub const FLOORS: [&str; 6] = [
    "2nd floor, left bell",
    "c/o O'Brien & Partners",
    "flat 12 of the old brewery",
    "ground floor, at the back",
    "house behind the garden",
    "room 4 on the first floor",
];

pub const CITIES: [&str; 16] = [
    "Aarhus",
    "Bilbao",
    "Cork",
    "Dijon",
    "Exeter",
    "Ferrara",
    "Göteborg",
    "Houston",
    "Izmir",
    "Kraków",
    "Leuven",
    "Málaga",
    "Napier",
    "Oxford",
    "Porto",
    "Québec",
];

pub const STATES: [&str; 12] = [
    "Alabama",
    "Bretagne",
    "Cantabria",
    "Devon",
    "Emilia-Romagna",
    "Flanders",
    "Gansu",
    "Hawai'i",
    "Jämtland",
    "Kerala",
    "Minas Gerais",
    "Ontario",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CATALOGUE;

    /// The choices of a parameter in app.toml.
    fn one_of(interaction: &str, name: &str) -> Vec<String> {
        let interaction = CATALOGUE.get(CATALOGUE.by_name(interaction).unwrap());
        let parameter = interaction.parameters.iter().find(|parameter| parameter.name == name).unwrap();
        parameter.one_of.clone()
    }

    #[test]
    fn rows_have_the_words_that_may_be_chosen() {
        assert_eq!(one_of("NewProducts", "SUBJECT").len(), 24);
        assert_eq!(one_of("NewProducts", "SUBJECT"), one_of("BestSellers", "SUBJECT"));
        assert_eq!(one_of("BuyConfirm", "CC_TYPE"), CARDS);
        assert_eq!(one_of("BuyConfirm", "SHIPPING"), SHIPPING.map(|(name, _)| name));
    }
}
