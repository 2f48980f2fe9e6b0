import type { ProblemCode } from "./problems";

/** English words for every problem, as ICU message templates. */
export const PROBLEM_MESSAGES: Record<ProblemCode, string> = {
  "header.missing":
    "This is not a userscript: there is no metadata block. Put one in, starting with a line // ==UserScript== and ending with a line // ==/UserScript==.",
  "header.subscription":
    "This is a subscription list (==UserSubscribe==), not a userscript. Subscription lists cannot be installed yet.",
  "header.malformed-delimiter":
    "This line is not a valid delimiter of the metadata block: “{found}”. Nothing may stand before the marker but two slashes and blanks; write {expected}.",
  "header.unclosed":
    "The metadata block that starts here has no end. Add a line // ==/UserScript== after it.",
  "header.name-missing": "The metadata block has no @name. Add a line such as // @name My script.",
  "header.trailing-text": "The text “{text}” after the delimiter is ignored.",
  "header.no-space": "“{found}” is accepted, but some managers need a blank after the slashes.",
  "header.duplicate":
    "Another metadata block starts here. Only the block that starts in line {first} counts.",
  "header.code":
    "Lines inside the metadata block that are not comments are ignored ({count}; the first is “{text}”).",
  "line.no-space":
    "//@{key} without a blank is read like any other line. To switch a line off, remove the @ or write // // @{key}.",
  "key.duplicate": "@{key} stands here a second time. The first value counts; “{value}” is ignored.",
  "key.case": "@{key} is not known and is ignored. Did you mean @{expected}?",
  "key.locale": "@{key} does not name a language such as zh-CN and is ignored.",
  "value.missing": "@{key} has no value and is ignored.",
  "value.extra": "@{key} takes one word. “{value}” is used, “{extra}” is ignored.",
  "value.unknown": "@{key} does not know “{value}”. It can be: {allowed}. Used instead: {used}.",
  "version.missing": "There is no @version, so that updates of this script cannot be recognised.",
  "url.invalid": "@{key} needs an absolute http or https address or the word none. “{value}” is ignored.",
  "resource.incomplete": "@resource needs a name and an address. “{value}” is ignored.",
  "resource.duplicate": "There is already an @resource with the name “{name}”. This one is ignored.",
  "grant.none-with-others":
    "@grant none contradicts the other @grant lines and is ignored. Granted: {grants}.",
  "match.unsupported-scheme":
    "@{key} {pattern} is ignored: scripts cannot run on “{scheme}” addresses, only on http, https and file.",
  "match.no-scheme": "@{key} {pattern} names no scheme. It is read as {used}.",
  "match.no-path":
    "@{key} {pattern} has no path and is read as {used}, which is the front page only. Write /* at the end for all pages.",
  "match.invalid-host":
    "@{key} {pattern} is ignored: “{host}” is not a host name. A host is written in full, or as *.example.com, or as *.",
  "match.invalid-port":
    "@{key} {pattern} is ignored: “{port}” is not a port. A port is a number from 1 to 65535, or *.",
  "match.host-wildcard":
    "@{key} {pattern} has a wildcard in its host that browsers do not know. It works here, but it may take in hosts that you do not mean, and costs a check on more pages.",
  "match.bare-wildcard": "@{key} {pattern} means every page.",
  "match.regex": "@{key} {pattern} is ignored: regular expressions work in @include and @exclude only.",
  "match.invalid-regex": "@{key} {pattern} is ignored: the regular expression is broken ({reason}).",
  "match.not-a-url":
    "@{key} {pattern} is ignored: no address can look like this. Write an address with wildcards, such as https://example.com/*, or a regular expression between slashes.",
  "match.anywhere":
    "@{key} {pattern} has no host part: it may match anywhere in an address, also in the path of another site.",
  "match.tld": "@{key} {pattern} is ignored: .tld hosts are not supported yet. List the hosts one by one.",
  "match.fragment":
    "@{key} {pattern}: what follows # is not looked at when a page loads. The rule is read as {used}.",
  "match.fragment-dropped":
    "@{key} {pattern} is ignored: what follows # is not looked at, and without it the rule would exclude more than it says.",
  "match.none": "The script has no @match or @include line, so it runs on no page.",
  "match.all-dropped": "None of the @match and @include lines can be used. The script runs on no page.",
};
