from api.server.serve import advise_phones, lan_address, urls


def test_a_named_host_has_one_address() -> None:
    assert urls("127.0.0.1", 8017) == ("http://127.0.0.1:8017/",)


def test_an_ipv6_host_stands_in_brackets() -> None:
    assert urls("::1", 9001) == ("http://[::1]:9001/",)


def test_a_server_open_to_all_tells_this_machine_too_and_a_phone_first() -> None:
    lan = lan_address()

    found = urls("0.0.0.0", 8017)

    assert found[-1] == "http://localhost:8017/"
    assert found[0] == (f"http://{lan}:8017/" if lan else found[-1])


def test_whether_phones_reach_it_is_said_with_what_to_do() -> None:
    found = [advise_phones(*one) for one in (("127.0.0.1", "192.0.2.7"), ("0.0.0.0", None), ("0.0.0.0", "192.0.2.7"))]

    for says, advice in zip(found, ("--host", "hotspot", "firewall"), strict=True):
        assert advice in says
