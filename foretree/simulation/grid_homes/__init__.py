"""Grid homes: procedural rooms and flats with objects in them, and what a robot can do there.

* ``layouts/``: walls, rooms and furniture (``layout``, ``layout_generator``), and homes with objects drawn
  from spawn priors (``spawning``)
* ``home``: the true state; ``rules``: what each control does to it; ``disturbances``: failing manipulations,
  and changes made by other people
* ``goals``, ``task_families``: goals asked of the true state, what an episode came to, and the tasks that
  have them
* ``episode``: a home drawn for a task, with a body in it; ``event_log``: what happened there
* ``camera/``: what is visible (``camera``), how recognition errs (``noise``), and frames as pictures for
  people (``frame_picture``)
* ``body/``: camera and hand (``body``), also in a process of their own (``remote_body``)
* ``training_data``: labelled pictures and likely places, from homes of the seen layout families
"""
