"""From CSV files to the figures in pages and charts.

    rows        the rows of a CSV file, filled in, and cut down to some columns
    database    a results folder as an SQLite database with the views of views.sql
    script      runs a file of SQL whose queries name the files that get their rows
    cells       how a figure is shown, and the columns of a table in a page
    answers     finds in the database what a marker in a page asks for
    sentences   the figures of docs/figures.txt, which have no marker in the page
    pages       replaces tables and figures in a page
    chart       gnuplot, and smaller SVG files
    h200        the number of an H200's SMs
    command     errors in one line, files that are written whole or not at all

Python's standard library is all they need. The commands that use them are in tools/ and plots/.
"""
