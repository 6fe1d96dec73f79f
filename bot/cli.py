"""The command line: what can be asked for, and how errors are said. What it comes to is in the modules it imports late,
so that help, version and completion answer at once."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.shell_completion import CompletionItem, get_completion_class

from bot.core.session import Feedback, Order, Pace

if TYPE_CHECKING:
    from bot.settings import Settings

PROGRAM = "quizbot"
COMPLETE_VARIABLE = "_QUIZBOT_COMPLETE"
FAULT, MISUSE, INTERRUPTED = 1, 2, 130
MOST_DIGITS = 9

COMPLETION_HELP = """\
Print the script that completes commands, quizzes and languages with the Tab key.

\b
bash:  quizbot completion bash > ~/.local/share/bash-completion/completions/quizbot
zsh:   quizbot completion zsh > ~/.zfunc/_quizbot     (with ~/.zfunc in fpath before compinit)
fish:  quizbot completion fish > ~/.config/fish/completions/quizbot.fish

Then start a new shell."""


@dataclass(slots=True)
class Options:
    """What stands before the command. The settings are read when a command needs them."""

    file: Path | None = None

    def settings(self) -> Settings:
        """The settings; ends the program with a line for every problem."""
        from bot import settings

        for suspicion in settings.suspicions(os.environ):
            click.echo(f"{PROGRAM}: {suspicion}", err=True)
        try:
            return settings.load(self.file)
        except settings.SettingsError as error:
            fail(error.problems, MISUSE)


def called(typed: str) -> str:
    """What to type to call the program again, when it was called as `typed`: its name where the shell finds it by
    that, else its path."""
    found = shutil.which(PROGRAM)
    if Path(typed).stem != PROGRAM or (found and Path(found).absolute() == Path(typed).absolute()):
        return PROGRAM
    return shlex.quote(typed)


def fail(lines: Iterable[str], code: int) -> NoReturn:
    """End the program with these lines on stderr."""
    for line in lines:
        click.echo(f"{PROGRAM}: {line}", err=True)
    raise click.exceptions.Exit(code)


class Slug(click.ParamType[str]):
    """The name of a quiz; whether there is one is found out when it is played."""

    name = "quiz"

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002  # click's signature
        incomplete: str,
    ) -> list[CompletionItem]:
        from adapters.console import shelf
        from bot import settings

        file = ctx.find_root().params.get("settings")
        try:
            folder = settings.load(file).content_dir
        except settings.SettingsError:
            return []
        return [CompletionItem(slug) for slug in shelf.slugs(folder) if slug.startswith(incomplete)]


class Language(click.ParamType[str]):
    """A language of the interface."""

    name = "language"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from bot import words

        found = words.match(str(value))
        if found is None:
            there = ", ".join(f"{language} ({words.name_of(language)})" for language in words.languages())
            self.fail(f"{str(value)!r} is not a language of Quizbot; there are {there}", param, ctx)
        return found

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002  # click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        from bot import words

        return [CompletionItem(tag) for tag in words.languages() if tag.startswith(incomplete)]


class Count(click.ParamType[int]):
    """How many: a whole number from 1. How many there can be depends on the quiz."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS and int(text) > 0):
            self.fail(f"{text[:20]!r} is not possible; write a whole number from 1", param, ctx)
        return int(text)


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Try it: quizbot play",
)
@click.option(
    "--settings",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read settings from this file (NAME=value lines); the environment wins. Also QUIZBOT_SETTINGS_FILE.",
)
@click.version_option(version(PROGRAM), "--version", prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context, settings: Path | None) -> None:
    """Quizzes for study groups, with an explanation for every answer, in several languages."""
    context.obj = Options(settings)


@cli.command(short_help="Play a quiz here.")
@click.argument("quiz", required=False, type=Slug())
@click.option("--lang", type=Language(), metavar="LANGUAGE", help="The language to play in: en, bg, ro, …")
@click.option("--questions", type=Count(), metavar="N", help="How many questions; all when absent.")
@click.option("--seed", type=int, metavar="N", help="The same number draws the same questions and orders of options.")
@click.option(
    "--pace", type=click.Choice([pace.value for pace in Pace]), help="Without a clock, or with more or less time."
)
@click.option("--feedback", type=click.Choice([each.value for each in Feedback]), help="When to say what was right.")
@click.option("--order", type=click.Choice([order.value for order in Order]), help="The order of the questions.")
@click.option("--new", is_flag=True, help="Start afresh, also when this quiz is unfinished.")
@click.pass_obj
def play(options: Options, /, **wishes: Any) -> None:
    """Play a quiz here. Without QUIZ, choose from those there are.

    In a terminal the cards are drawn; from a script (answers on standard input, a line each) they are plain text.
    What is unfinished goes on where it stopped.
    """
    from adapters.console.reception import Wishes
    from bot.playing import play_here

    play_here(options.settings(), Wishes(**wishes, program=called(sys.argv[0])))


@cli.command(short_help="Practise what is due, and something new.")
@click.argument("quiz", required=False, type=Slug())
@click.option("--lang", type=Language(), metavar="LANGUAGE", help="The language to practise in: en, bg, ro, …")
@click.option("--seed", type=int, metavar="N", help="The same number draws the same orders of options.")
@click.pass_obj
def practice(options: Options, /, **wishes: Any) -> None:
    """Practise here: ten questions, reviews that are due first, then new ones from quizzes you have met. With QUIZ,
    only questions of that quiz.

    What you miss, also when you play, comes back until you know it, then ever more rarely. Your day begins at 04:00.
    What is unfinished goes on where it stopped.
    """
    from adapters.console.reception import Wishes
    from bot.playing import practise_here

    practise_here(options.settings(), Wishes(**wishes, program=called(sys.argv[0])))


@cli.command(short_help="Say how you are doing, and what is due when.")
@click.pass_obj
def stats(options: Options) -> None:
    """Say how much you have answered here and how well, by quiz and by topic, and what is due when."""
    _tell(options, "stats")


@cli.command(short_help="Say what is stored about you.")
@click.pass_obj
def privacy(options: Options) -> None:
    """Say what is stored about you."""
    _tell(options, "privacy")


def _tell(options: Options, name: str) -> None:
    from bot.playing import tell_here

    tell_here(options.settings(), name, called(sys.argv[0]))


@cli.command(short_help="Give you all that is stored about you.")
@click.argument("file", required=False, type=click.Path(dir_okay=False, allow_dash=True))
@click.pass_obj
def export(options: Options, file: str | None) -> None:
    """Write all that is stored about you into FILE, as JSON; without FILE, or with -, to standard output."""
    from bot.playing import export_here

    export_here(options.settings(), called(sys.argv[0]), None if file in (None, "-") else Path(file))


@cli.command(short_help="Delete all that is stored about you.")
@click.option("--yes", is_flag=True, help="Do not ask whether you are sure.")
@click.pass_obj
def forget(options: Options, yes: bool) -> None:
    """Delete all that is stored about you, once you have said that you are sure.

    The exit code is 1 when it was not deleted.
    """
    from bot.playing import forget_here

    raise click.exceptions.Exit(0 if forget_here(options.settings(), called(sys.argv[0]), sure=yes) else FAULT)


@cli.command(short_help="Check quiz files and name every problem.")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(exists=True, path_type=Path))
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.pass_obj
def check(options: Options, paths: tuple[Path, ...], strict: bool) -> None:
    """Check quiz files, or every quiz file in a folder; without PATH those that would be played.

    Prints each problem as path:line:column. Exit code 1 when there are errors (with --strict: or warnings).
    """
    from bot import checking

    raise click.exceptions.Exit(checking.check(paths or (options.settings().content_dir,), strict=strict))


@cli.command(short_help="Serve Telegram and Discord until stopped.")
@click.pass_obj
def run(options: Options) -> None:
    """Serve Telegram, with the token in QUIZBOT_TELEGRAM_TOKEN, Discord, with that in QUIZBOT_DISCORD_TOKEN, or both,
    until Ctrl-C or SIGTERM. Where one fails, the other goes on.

    What happens is logged on stderr. The exit code is 0 after a stop in order, 1 when nothing can be served any more
    before somebody mends something (a refused token, another program that serves the bot), 2 when the settings cannot
    be used.
    """
    from bot.serving import serve_here

    raise click.exceptions.Exit(serve_here(options.settings()))


@cli.command(short_help="Check whether the bot can be served.")
@click.pass_obj
def doctor(options: Options) -> None:
    """Check settings, database, quizzes and the bot at Telegram and Discord, and say what to do about each problem.

    Changes nothing, and may be called while the bot runs. Whether another program serves the same bot cannot be seen
    without disturbing it; `quizbot run` says so. Exit code 1 when there is a problem, 0 when there are only warnings.
    """
    from bot.examining import examine

    raise click.exceptions.Exit(examine(options.file))


@cli.group(short_help="Move everything to another database.")
def db() -> None:
    """Move everything that is stored to another database."""


@db.command(short_help="Copy everything into another database, and compare.")
@click.argument("source")
@click.argument("target")
@click.option("--replace", is_flag=True, help="Delete what TARGET holds; also to begin an interrupted copy anew.")
def copy(source: str, target: str, replace: bool) -> None:
    """Copy everything that is stored from SOURCE into TARGET, and compare the two row by row. Both are addresses as in
    QUIZBOT_DATABASE_URL: sqlite:///FILE or postgresql://user:password@host/name.

    The bot has to be stopped. SOURCE stays as it is; TARGET has to be empty. A copy that was interrupted goes on when
    the same command is given again. Exit code 1 when the two differ in the end.
    """
    from bot.relocating import copy_here

    raise click.exceptions.Exit(copy_here(source, target, replace=replace))


@cli.command(short_help="Copy the database into a file, while the bot runs.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE when it exists.")
@click.pass_obj
def backup(options: Options, file: Path, force: bool) -> None:
    """Copy the database into FILE, as it is at one moment, and check what was written. The bot may run meanwhile.

    FILE is an SQLite database that only you can read, whatever database the bot uses. It is there when it is whole, or
    not at all.
    """
    from bot.safekeeping import back_up_here

    back_up_here(options.settings().database_url, file, force=force)


@cli.command(short_help="Put a backup in the place of the database.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Delete what the database holds now.")
@click.pass_obj
def restore(options: Options, file: Path, replace: bool) -> None:
    """Put what `quizbot backup` wrote into FILE in the place of the database. The bot has to be stopped.

    FILE is checked first; one of an older version is brought up to date. Where anything fails, the database stays as it
    was. Sessions that were alive go on when the bot starts, and are given the time that has passed.
    """
    from bot.restoring import restore_here

    restore_here(options.settings().database_url, file, replace=replace)


@cli.command(short_help="List what people reported about questions.")
@click.pass_obj
def reports(options: Options) -> None:
    """List the questions that people reported, what is wrong with each, and what they wrote; the newest first.

    Changes nothing, and may be called while the bot runs.
    """
    from bot.reporting import list_here

    list_here(options.settings().database_url)


@cli.command(help=COMPLETION_HELP, short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    writer = get_completion_class(shell)
    if writer is None:
        raise click.UsageError(f"no completion for {shell}")
    click.echo(writer(cli, {}, PROGRAM, COMPLETE_VARIABLE).source())


def main() -> NoReturn:
    """Run the program; what goes wrong is said in a line, without a traceback."""
    _prepare_streams()
    try:
        code = cli.main(prog_name=PROGRAM, complete_var=COMPLETE_VARIABLE, standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help(), err=True)
        code = MISUSE
    except click.ClickException as error:
        click.echo(f"{PROGRAM}: {error.format_message()}", err=True)
        code = error.exit_code
    except click.Abort:
        code = INTERRUPTED
    except BrokenPipeError:
        code = FAULT  # whoever read has left
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"{PROGRAM}: {place}{error.strerror or error}", err=True)
        code = FAULT
    _let_go_of_output()
    sys.exit(code or 0)


def _let_go_of_output() -> None:
    """What cannot be written by now goes nowhere, or leaving would fail at it again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _prepare_streams() -> None:
    """What is printed where nobody listens is lost, and a character that the terminal cannot show is replaced."""
    nowhere = Path(os.devnull)
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # text streams have it
