"""A quiz in three languages and a session over it: enough of each kind of question to see every card."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.core.quiz import NEUTRAL, Image, LocalisedText, Option, Question, Quiz, Source
from bot.core.scoring import Standing
from bot.core.session import Drawn, Pace, Result, Settings
from bot.words import true_false

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
STEADY = Settings(Pace.STEADY, count=4)
RELAXED = Settings(Pace.RELAXED, count=4)


def text(en: str, bg: str, ro: str) -> LocalisedText:
    return LocalisedText({"en": en, "bg": bg, "ro": ro})


def same(neutral: str) -> LocalisedText:
    return LocalisedText({NEUTRAL: neutral})


BATCH = Question(
    id="batch",
    stem=text(
        "Micro-batches of 4, 8 accumulation steps. How large is the effective batch?",
        "Микропартиди по 4, 8 стъпки на натрупване. Колко голяма е ефективната партида?",
        "Micro-loturi de 4, 8 pași de acumulare. Cât de mare este lotul efectiv?",
    ),
    options=(
        Option(same("32"), right=True),
        Option(
            same("12"),
            note=text(
                "That is the sum, not the product.", "Това е сборът, а не произведението.", "Aceea e suma, nu produsul."
            ),
        ),
        Option(
            same("8"),
            note=text("That is the number of steps.", "Това е броят на стъпките.", "Acela e numărul de pași."),
        ),
        Option(
            same("4"),
            note=text("That is one micro-batch.", "Това е една микропартида.", "Acela e un singur micro-lot."),
        ),
    ),
    explanation=text(
        "Every step adds 4 examples: 4 × 8 = 32.",
        "Всяка стъпка добавя 4 примера: 4 × 8 = 32.",
        "Fiecare pas adaugă 4 exemple: 4 × 8 = 32.",
    ),
    sources=(
        Source("https://example.org/accumulation", text("Gradient accumulation", "Натрупване", "Acumularea")),
        Source("https://example.org/batches"),
    ),
)

NORMALISATION = Question(
    id="normalisation",
    stem=text(
        "Which layers do not depend on the batch?",
        "Кои слоеве не зависят от партидата?",
        "Ce straturi nu depind de lot?",
    ),
    options=(
        Option(same("LayerNorm"), right=True),
        Option(same("GroupNorm"), right=True),
        Option(
            same("BatchNorm"),
            note=text(
                "It takes its statistics from the batch.",
                "Взема статистиките си от партидата.",
                "Își ia statisticile din lot.",
            ),
        ),
    ),
)

TRUE, FALSE = true_false()
SUM = Question(
    id="sum",
    stem=text(
        "Gradients of several backward passes add up.",
        "Градиентите от няколко обратни прохода се сумират.",
        "Gradienții mai multor propagări înapoi se adună.",
    ),
    options=(Option(TRUE, right=True, pinned=True), Option(FALSE, pinned=True)),
    explanation=text(
        "They do, until zero_grad() clears them.",
        "Да, докато zero_grad() не ги изчисти.",
        "Da, până când zero_grad() îi șterge.",
    ),
)

ENGLISH_ONLY = Question(
    id="schedule",
    stem=LocalisedText({"en": "When is the learning rate updated?"}),
    options=(
        Option(LocalisedText({"en": "After every optimizer step"}), right=True),
        Option(
            LocalisedText({"en": "After every micro-batch"}),
            note=LocalisedText({"en": "Then it would fall too fast."}),
        ),
    ),
    image=Image("rate.png", LocalisedText({"en": "A falling curve"})),
)

QUIZ = Quiz(
    slug="gradient-accumulation",
    title=text("Gradient accumulation", "Натрупване на градиенти", "Acumularea gradienților"),
    languages=("en", "bg", "ro"),
    questions=(BATCH, NORMALISATION, SUM, ENGLISH_ONLY),
    intro=text(
        "Answers and explanations appear as you go.",
        "Отговорите и обясненията се показват в хода на теста.",
        "Răspunsurile și explicațiile apar pe parcurs.",
    ),
)

DRAW = (Drawn(0, (2, 0, 3, 1)), Drawn(1, (1, 2, 0)), Drawn(2, (0, 1)), Drawn(3, (1, 0)))


def result(at: int, *tally: int, answered: int, right: int) -> Result:
    return Result(DRAW[at], tally, answered, right)


def standing(rank: int, name: str, *, right: int, points: int | None = None, seconds: int = 0) -> Standing:
    return Standing(rank, name.casefold(), name, right * 100 if points is None else points, right, 4, seconds * 1000)


def quiz_of(*questions: Question, languages: tuple[str, ...] = ("en",), title: LocalisedText | None = None) -> Quiz:
    return Quiz("sample", title or same("Sample"), languages, questions)
