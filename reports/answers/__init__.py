"""What the judge answers: plain data, each answer a class that can say itself in both languages and as JSON.

``answer`` has what all of them share (the verdict, the exit code, the envelope with its JSON
Schema). An answer holds words and numbers only; whoever asks the engines makes it
(``monjudge.reports.judge``), and whoever prints it needs nothing else.
"""
