"""Which sentences a model that reads English takes for another language: 60 of each kind, half of them new to the rule."""

from functools import partial

from embtools.models.language import is_foreign

# fmt: off
ENGLISH = (
    "Giuseppe Verdi met Francesca in Bologna.", "Nguyen and Oluwaseun went to Reykjavik.",
    "Rome is the capital of ___.", "Dostoyevsky wrote Crime and Punishment.", "Siobhan and Caoimhe live in Galway.",
    "The Zugspitze is in Bavaria.", "Björk sings in Reykjavík.", "Kierkegaard lived in Copenhagen.",
    "Xochitl loves Guadalajara.", "Chimamanda Ngozi Adichie wrote Americanah.",
    "My friend Aleksandra moved to Wroclaw.", "Schwarzenegger governed California.",
    "Wittgenstein admired Schopenhauer.", "Lewandowski plays for Barcelona.",
    "Thiruvananthapuram is a city in Kerala.", "Erdogan met Zelenskyy in Istanbul.",
    "He ordered bruschetta and prosciutto.", "Ljubljana is the capital of [MASK].",
    "Photosynthesis needs chlorophyll.", "I like sushi.", "The acetylcholinesterase inhibitors worked.",
    "Mbappé scored twice.", "Antidisestablishmentarianism is a word.", "Krzyzewski coached at Duke.",
    "Ms. Okonkwo teaches biology.", "Saoirse Ronan is an actress.", "Popocatepetl erupted yesterday.", "Hello!",
    "Dr. Venkataraman treats patients in Bengaluru.", "Yuki bought onigiri in Shinjuku.",
    "Kowalczyk emailed Papadopoulos.", "Federer beat Djokovic in Wimbledon.", "Mozart died in Vienna.",
    "Charles de Gaulle visited Rio de Janeiro.", "Leonardo da Vinci painted Mona Lisa.", "Los Angeles is sunny.",
    "Uncle Giovanni cooks ravioli.", "Ahmed drove to Casablanca.", "Macchu Picchu attracts tourists.",
    "Nietzsche criticised Wagner.", "Fatoumata studies linguistics.", "Her cat is called Schnurrli.",
    "Zlatan Ibrahimovic left Milan.", "Tchaikovsky composed Swan Lake.", "Mississippi floods often.", "Dogs bark.",
    "What time is it in Ouagadougou?", "Quetzalcoatl was an Aztec god.", "Hypothyroidism causes tiredness.",
    "Ludwig van Beethoven was born in Bonn.", "El Greco lived in Toledo.", "Kazuo Ishiguro won the Nobel Prize.",
    "Pho tastes great.", "Her name is Ngozi.", "Rakesh eats samosas.", "My aunt bakes baklava.",
    "Uzbekistan borders Turkmenistan.", "Il Duce ruled Italy.", "Paella contains saffron.",
    "Vladimir Nabokov loved butterflies.",
)
OTHERS = (
    "Москва — столица [MASK].", "北京是[MASK]的首都。", "Η Αθήνα είναι πόλη.", "القاهرة عاصمة مصر.", "ירושלים היא עיר.",
    "東京は日本の首都です。", "서울은 한국의 수도이다.", "Київ — столиця України.", "दिल्ली भारत की राजधानी है।", "กรุงเทพเป็นเมืองหลวง",
    "Berlin ist die Hauptstadt von [MASK].", "Der Hund schläft im Garten.", "Ich habe gestern ein Buch gelesen.",
    "Die Kinder spielen auf der Straße.", "Rom ist die Hauptstadt von [MASK].", "Paris est la capitale de la [MASK].",
    "Le chat dort sur la chaise.", "Je ne sais pas ce qu'il veut dire.", "Les enfants jouent dans le jardin.",
    "Rome est la capitale de l'[MASK].", "Madrid es la capital de [MASK].", "El perro duerme en el jardín.",
    "Los niños juegan en la calle.", "Roma è la capitale d'[MASK].", "Il gatto dorme sulla sedia.",
    "O cachorro dorme no jardim.", "De hond slaapt in de tuin.", "Hunden sover i haven.", "Pies śpi w ogrodzie.",
    "Köpek bahçede uyuyor.", "Das Wetter ist heute schön.", "Wo ist der Bahnhof?", "Meine Mutter kocht Suppe.",
    "Er arbeitet in Berlin.", "Wir fahren nach Hause.", "Bonjour, comment allez-vous?", "Il fait beau aujourd'hui.",
    "Elle mange une pomme.", "Nous habitons à Lyon.", "La tour Eiffel est à Paris.", "Me gusta mucho la música.",
    "Ella vive en Barcelona.", "¿Dónde está la estación?", "Mi hermano trabaja aquí.", "Hace mucho calor hoy.",
    "Buongiorno, come stai?", "La mia casa è molto grande.", "Mangiamo la pizza stasera.", "Eu gosto de música.",
    "Onde fica a estação?", "Ik woon in Amsterdam.", "Het weer is mooi vandaag.", "Jag bor i Stockholm.",
    "Hun bor i Oslo med sin mor.", "Mam na imię Anna.", "Praha je hlavní město.", "Budapest Magyarország fővárosa.",
    "Bugün hava çok güzel.", "Hanoi là thủ đô của Việt Nam.", "Saya tinggal di Jakarta.",
)
# fmt: on


def test_no_english_sentence_with_names_and_most_others_are_foreign(bundled) -> None:  # type: ignore[no-untyped-def]
    foreign = partial(is_foreign, words_of=bundled.words)
    assert [sentence for sentence in ENGLISH if foreign(sentence)] == []
    assert len(ENGLISH) == len(OTHERS) == 60 and sum(map(foreign, OTHERS)) == 50
