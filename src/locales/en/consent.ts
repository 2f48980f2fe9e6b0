/** Questions to the person, their answers, and the page that shows what was decided. */
export const consent = {
  "nav.consent": "Consent",

  "consent.asks.script": "A script asks",
  "consent.asks.run": "A run asks",
  "consent.noName": "Without a name",
  "consent.effect.connect": "It wants to exchange data with this server",
  "consent.effect.connect-private": "It wants to exchange data with a device in your network",
  "consent.effect.page-world": "It wants to use its permissions inside the page",
  "consent.means.connect":
    "It could send there whatever it has read, and do there what you can do while you are signed in.",
  "consent.means.connect-private":
    "The address is on this computer or in its own network. Routers, printers and servers there often trust whoever reaches them.",
  "consent.means.page-world":
    "The page, and everything that runs in it, could then read what the script knows and do what the script may do.",
  "consent.kind.connect": "Data exchange",
  "consent.kind.connect-private": "Your network",
  "consent.kind.page-world": "Permissions in the page",
  "consent.readable": "Its name reads",
  "consent.warning.mixed": "This name mixes letters of several alphabets, as names made to deceive do.",
  "consent.warning.lookalike":
    "This name is made of letters that look like Latin ones, as names made to deceive are.",
  "consent.warning.undecodable": "The name stands for nothing that can be read.",
  "consent.detail": "What it would do now",
  "consent.page": "From the page",

  "consent.answer.once": "Allow once",
  "consent.answer.page": "Allow for this page",
  "consent.answer.run": "Allow for this run",
  "consent.answer.session": "Allow until the browser closes",
  "consent.answer.always": "Always allow",
  "consent.answer.deny": "Not now",
  "consent.answer.dismiss": "Leave it",
  "consent.answer.never": "Never",
  "consent.answer.denyAll": "Never, to all of its questions",
  "consent.failed.answer": "The answer was not taken",
  "consent.departed.elsewhere": "That question was answered elsewhere or withdrawn.",
  "consent.departed.rests": "Out of time: that question rests on the consent page.",

  "consent.window": "Question",
  "consent.window.hint": "“Always” and “Never” hold until you take them back on the consent page.",
  "consent.window.more": "{n, plural, =0 {} one {# more after this} other {# more after this}}",
  "consent.window.empty": "Nothing to answer",
  "consent.window.empty.text": "No script waits for your answer.",
  "consent.window.resting":
    "{n, plural, one {# question rests on the consent page.} other {# questions rest on the consent page.}}",
  "consent.window.show": "Show the consent page",
  "consent.window.close": "Close the window",
  "consent.failed.prompts": "The questions could not be read",
  "consent.failed.open": "The consent page did not open",

  "consent.cards": "Questions to you",
  "consent.cards.open": "{n, plural, one {# question for you} other {# questions for you}}",
  "consent.cards.hide": "Answer later",

  "consent.resting": "Questions that wait for an answer",
  "consent.resting.asked": "Asked",
  "consent.resting.hint":
    "Nobody answered these in time, so what asked went on without. An answer counts when it asks again; “Allow once” for ten minutes.",
  "consent.wait": "How long a question waits",
  "consent.wait.hint": "After that, what asked goes on without an answer, and the question rests here.",
  "consent.wait.30": "30 seconds",
  "consent.wait.120": "2 minutes",
  "consent.wait.600": "10 minutes",

  "consent.decisions": "What you decided",
  "consent.decisions.count": "{n, plural, one {# decision} other {# decisions}}",
  "consent.search": "Search decisions",
  "consent.filter": "Show",
  "consent.filter.all": "All kinds",
  "consent.noneFound": "No decision matches.",
  "consent.empty.title": "Nothing decided yet",
  "consent.empty.text":
    "When a script wants something that you should know of, such as a server that it does not name in its header, you are asked. What you answer with “Always” or “Never” is listed here.",
  "consent.decision.always": "Allowed",
  "consent.decision.never": "Never",
  "consent.decided": "Decided",
  "consent.used": "Last used",
  "consent.unused": "Not used yet",
  "consent.onlyPage": "Only in the open page {host}",
  "consent.onlyRun": "Only for this run",
  "consent.onlySession": "Only until the browser closes",
  "consent.subjectGone": "A script that is no longer installed",
  "consent.revoke": "Revoke",
  "consent.revoke.one": "Revoke {what} for {name}",
  "consent.revoke.all": "{n, plural, one {Revoke it} other {Revoke all #}}",
  "consent.revoke.allOf": "{n, plural, one {Revoke it} other {Revoke all #}} for {name}",
  "consent.revoked":
    "{n, plural, one {# decision was revoked. You will be asked again.} other {# decisions were revoked. You will be asked again.}}",
  "consent.failed.decisions": "The decisions could not be read",
  "consent.failed.revoke": "Nothing was revoked",
  "consent.failed.restore": "The decisions were not brought back",

  "consent.ofScript.none":
    "You have decided nothing about this script. It asks when it needs more than its header says.",
  "consent.ofScript.all": "All decisions",
  "consent.palette.answer": "Go to the open question",
} as const;
