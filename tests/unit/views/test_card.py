from unit.results.synthetic import synthetic_result


def test_a_result_shows_itself_in_a_notebook():
    page = synthetic_result(samples=31)._repr_html_()
    for text in ("data:image/png", "synthetic pick and place", "audit pass", "largest tension", "<summary>dataset"):
        assert text in page


def test_an_empty_result_says_so():
    result = synthetic_result(samples=31)
    result.dataset = result.dataset.isel(time=slice(0, 0))
    assert "0 samples" in result._repr_html_()
