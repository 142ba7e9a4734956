"""The curves behind results: points of QDash's Plotly figures, and raw data of its CSV files.

figure   a figure's traces and maps, as `fig.write_json` wrote them
raw      a CSV file, as `numpy.savetxt` wrote it
frames   both of several results, as tables
"""
